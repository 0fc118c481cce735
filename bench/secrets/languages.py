"""The same in other languages: sentences around a password.

Rules are tuned while looking at `LANGUAGES`; `HELD_OUT` was written at the same time and is only counted.
"""

from __future__ import annotations

LANGUAGES: dict[str, tuple[str, ...]] = {
    "german": (
        "Das Passwort ist {}.",
        "Passwort: {}\n",
        "Nimm {} als Passwort für den Server.",
        "Kennwort lautet {}\n",
        "Ich habe das Passwort auf {} geändert.",
    ),
    "french": (
        "Le mot de passe est {}.",
        "Mot de passe : {}\n",
        "Utilise {} comme mot de passe.",
        "mdp: {}\n",
        "{} est le mot de passe du serveur.",
    ),
    "spanish": (
        "La contraseña es {}.",
        "Contraseña: {}\n",
        "Usa {} como contraseña para entrar.",
        "clave: {}\n",
        "{} es la contraseña del servidor.",
    ),
    "portuguese": (
        "A senha é {}.",
        "Senha: {}\n",
        "Use {} como senha do banco.",
        "palavra-passe: {}\n",
        "A senha do servidor é {}\n",
    ),
    "italian": (
        "La password è {}.",
        "Parola d'ordine: {}\n",
        "Usa {} come password.",
        "La password di root è {}\n",
        "{} è la password del server.",
    ),
    "dutch": (
        "Het wachtwoord is {}.",
        "Wachtwoord: {}\n",
        "Gebruik {} als wachtwoord.",
        "ww: {}\n",
        "Het wachtwoord van de server is {}\n",
    ),
    "polish": (
        "Hasło to {}.",
        "Hasło: {}\n",
        "Użyj {} jako hasła.",
        "hasło do serwera: {}\n",
        "Zmieniłem hasło na {}\n",
    ),
    "russian": (
        "Пароль — {}.",
        "Пароль: {}\n",
        "Используй {} как пароль.",
        "пароль от сервера: {}\n",
        "Мой пароль {}\n",
    ),
    "turkish": (
        "Şifre {}.",
        "Şifre: {}\n",
        "Parola: {}\n",
        "Parola olarak {} kullan.",
        "Sunucu şifresi: {}\n",
    ),
    "chinese": (
        "密码是{}。",
        "密码：{}\n",
        "密码为 {}\n",
        "用 {} 作为密码。",
        "口令: {}\n",
    ),
    "japanese": (
        "パスワードは{}です。",
        "パスワード：{}\n",
        "パスワードを {} に変更しました。",
        "暗証番号: {}\n",
        "パスワードは「{}」です。",
    ),
    "korean": (
        "비밀번호는 {}입니다.",
        "비밀번호: {}\n",
        "비번은 {}\n",
        "암호: {}\n",
        "비밀번호를 {}로 바꿨어요.",
    ),
}

HELD_OUT: dict[str, tuple[str, ...]] = {
    "english": (
        "My password used to be {}.",
        "The new admin password should be {}\n",
        "Passphrase = {}\n",
        "pw {}\n",
        "login with bob and password {}\n",
    ),
    "swedish": ("Lösenordet är {}.", "Lösenord: {}\n", "Använd {} som lösenord."),
    "danish": ("Adgangskoden er {}.", "Adgangskode: {}\n", "Brug {} som adgangskode."),
    "norwegian": ("Passordet er {}.", "Passord: {}\n", "Bruk {} som passord."),
    "finnish": ("Salasana on {}.", "Salasana: {}\n", "Käytä salasanaa {}\n"),
    "czech": ("Heslo je {}.", "Heslo: {}\n", "Použij {} jako heslo."),
    "hungarian": ("A jelszó {}.", "Jelszó: {}\n", "A jelszó: {}\n"),
    "romanian": ("Parola este {}.", "Parolă: {}\n", "Folosește {} ca parolă."),
    "greek": ("Ο κωδικός είναι {}.", "Κωδικός: {}\n", "Κωδικός πρόσβασης: {}\n"),
    "ukrainian": ("Пароль: {}\n", "Гасло: {}\n", "Пароль від сервера: {}\n"),
    "arabic": ("كلمة المرور هي {}\n", "كلمة السر: {}\n", "كلمة المرور: {}\n"),
    "hebrew": ("הסיסמה היא {}\n", "סיסמה: {}\n", "הסיסמה: {}\n"),
    "hindi": ("पासवर्ड {} है।", "पासवर्ड: {}\n", "कूटशब्द: {}\n"),
    "vietnamese": ("Mật khẩu là {}.", "Mật khẩu: {}\n", "mật khẩu của máy chủ là {}\n"),
    "indonesian": ("Kata sandinya {}.", "Kata sandi: {}\n", "Gunakan {} sebagai kata sandi."),
    "thai": ("รหัสผ่านคือ {}\n", "รหัสผ่าน: {}\n"),
}
