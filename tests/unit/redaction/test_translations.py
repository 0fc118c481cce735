"""What a screen calls a password stays in a table of translations, in any language; a password among settings goes."""

from __future__ import annotations

import pytest

from baton.ports.redactor import Redactor

YAML = """de:
  button_save: Speichern
  label_login: Angemeldet bleiben
  label_user: Benutzer
  notice_saved: Die Einstellungen wurden gespeichert.
  field_mail: E-Mail-Adresse
  label_new: Neues Thema anlegen
  label_all: Alle Projekte anzeigen
  notice_gone: Der Eintrag ist nicht mehr da.
  button_back: Zurück
  label_open: Offene Tickets
  <>
  label_date: Datum der letzten Änderung
  label_time: Uhrzeit
  notice_mail: Eine E-Mail wurde an Sie verschickt.
  label_file: Datei auswählen
"""
PHP = """$lang['login'] = 'Anmelden';
$lang['logout'] = 'Sie sind abgemeldet.';
$lang['user'] = 'Name des Benutzers';
<>
$lang['mail'] = 'Ihre Adresse für E-Mail';
$lang['badlogin'] = 'Der Name ist leider falsch.';
$lang['save'] = 'Änderungen speichern';
"""
JSON = """{
  "Save": "Opslaan",
  "All changes are lost": "Alle wijzigingen gaan verloren",
  "Please wait a moment": "Een ogenblik geduld",
  "Device name": "Naam van het apparaat",
  <>
  "Restart needed": "Opnieuw starten is nodig",
  "Remove this folder": "Deze map verwijderen"
}
"""
QT = """    <message>
        <source>Delete</source>
        <translation>Usuń</translation>
    </message>
    <message>
        <source>Delete the key file</source>
        <translation>Usuń plik klucza</translation>
    </message>
    <message>
        <source>Enter the password</source>
        <translation><></translation>
    </message>
"""
PO = """msgid "Save"
msgstr "Zapisz"

msgid "Save all files"
msgstr "Zapisz wszystkie pliki"

msgid "Old password"
msgstr "<>"
"""
LABELS = (
    QT.replace("<>", "Podaj hasło główne"),
    QT.replace("<>", "Passwort: bitte eingeben"),
    PO.replace("<>", "Stare hasło: główne"),
    YAML.replace("<>", "field_password: [ 'Wyczyść_hasło' ]"),
    YAML.replace("<>", "label_password_char_class_digits: Ziffern"),
    YAML.replace("<>", "field_password_confirmation: Bestätigung"),
    YAML.replace("<>", "notice_password_wrong: Das eingegebene Kennwort stimmt nicht."),
    YAML.replace("<>", "field_new_password: 新しいパスワード"),
    PHP.replace("<>", "$lang['oldpass'] = '現在のパスワードを確認';"),
    PHP.replace("<>", "$lang['resendpwdmissing'] = 'お手数ですが、全ての項目を入力して下さい。';"),
    PHP.replace("<>", "$lang['regbadpass'] = 'Die Kennwörter sind nicht gleich.';"),
    JSON.replace("<>", '"API Key": "API-sleutel",'),
    JSON.replace("<>", '"If untrusted, enter encryption password": "Voer dan een versleutelwachtwoord in",'),
)
SECRETS = (
    YAML.replace("<>", "db_password: <>"),
    YAML.replace("<>", "shop_admin_password: <>"),
    YAML.replace("<>", "smtpPassword: <>"),
    PHP.replace("<>", "$conf['password'] = '<>';"),
    JSON.replace("<>", '"password": "<>",'),
    QT.replace("<>", "Passwort: <>9"),
    "title: My shop\ndescription: All about tea\nauthor: Jane Doe\npassword: <>\nfooter: All rights reserved\n",
)


@pytest.mark.parametrize("text", LABELS)
def test_labels_stay(redactor: Redactor, text: str) -> None:
    assert redactor.redact(text).text == text


@pytest.mark.parametrize("text", SECRETS)
@pytest.mark.parametrize("held", ["Heron!7302", "q7Lp2xT9wZkB", "sunflower", "482913"])
def test_passwords_go_among_such_lines_too(redactor: Redactor, text: str, held: str) -> None:
    assert held not in redactor.redact(text.replace("<>", held)).text


@pytest.mark.parametrize("name", ["new_admin_password", "confirm_password", "label_password"])
def test_a_word_with_digits_goes_beside_a_name_of_a_screen_too(redactor: Redactor, name: str) -> None:
    for held in ("Heron!7302", "q7Lp2xT9wZkB", "4821"):
        assert held not in redactor.redact(YAML.replace("<>", f"{name}: {held}")).text
