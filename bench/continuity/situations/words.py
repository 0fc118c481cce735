"""What is said in situations beyond the corpus: closing words, questions, changes of mind."""

from __future__ import annotations

DONE = {
    "en": (
        "Done: {file} now closes {module} in every case, and its test is green. Nothing is left open.",
        "The {module} change is in place and documented in {file}. That completes the request.",
    ),
    "de": ("Erledigt: {file} schließt {module} jetzt in jedem Fall, der Test ist grün.",),
    "fr": ("C'est fait : {file} ferme maintenant {module} dans tous les cas, le test passe.",),
    "es": ("Hecho: {file} cierra ahora {module} en todos los casos y la prueba pasa.",),
    "ru": ("Готово: {file} теперь всегда закрывает {module}, тест проходит.",),
    "zh": ("完成了：{file} 现在总会关闭 {module}，测试已通过。",),
    "ja": ("完了しました。{file} は必ず {module} を閉じるようになり、テストも通りました。",),
}

QUESTIONS = {
    "en": (
        "I see two ways: keep the lock in {module}, or give {file} a queue. Shall I take the queue?",
        "Before I change {file}: should the old {module} setting still be read?",
    ),
    "de": ("Es gibt zwei Wege für {module}. Soll ich die Warteschlange in {file} nehmen?",),
    "fr": ("Deux solutions existent pour {module}. Dois-je modifier {file} d'abord ?",),
    "es": ("Hay dos caminos para {module}. ¿Empiezo por {file}?",),
    "ru": ("Для {module} есть два пути. Начать с {file}?",),
    "zh": ("{module} 有两种做法。要先改 {file} 吗？",),
    "ja": ("{module} には二つの方法があります。{file} から始めてよいですか？",),
}

INSTEAD = {
    "en": ("Stop. Leave that and instead write the migration for {module} in {file}, ticket OPS-{number}.",),
    "de": ("Stopp. Lass das und schreib stattdessen die Migration für {module} in {file}, Ticket OPS-{number}.",),
    "fr": ("Arrête. Laisse ça et écris plutôt la migration de {module} dans {file}, ticket OPS-{number}.",),
    "es": ("Para. Deja eso y escribe la migración de {module} en {file}, ticket OPS-{number}.",),
    "ru": ("Стоп. Оставь это и напиши миграцию для {module} в {file}, задача OPS-{number}.",),
    "zh": ("停。先不做那个，改为在 {file} 里写 {module} 的迁移，工单 OPS-{number}。",),
    "ja": ("止めて。それはやめて、代わりに {file} に {module} の移行を書いてください。OPS-{number}。",),
}

YES = {
    "en": ("yes do it", "ok go", "do that", "2", "sure"),
    "de": ("ja, mach das", "ok", "gerne"),
    "fr": ("oui, vas-y", "d'accord"),
    "es": ("sí, hazlo",),
    "ru": ("да, давай",),
    "zh": ("好的，做吧",),
    "ja": ("はい、お願いします",),
}

TESTS = (
    "pytest tests/unit/test_{module}.py -q",
    "npm test -- {module}",
    "go test ./internal/{module}/...",
    "cargo test {module}",
    "npx vitest run {module}",
)
CHANGES = (
    "git push origin {branch}",
    "./scripts/deploy_{module}.sh --env staging",
    "psql -f migrations/{number}_{module}.sql",
    "gh pr merge {number} --squash",
    "terraform apply -target={module}",
)
LOOKS = ("git log --oneline -20 -- {file}", "cat {file}", "grep -rn '{module}' src", "gh pr view {number}")
RISKY = ("git push --force-with-lease origin {branch}", "git reset --hard origin/{branch}", "rm -rf {folder}/{module}")
OPTIONS = (
    "The push was declined. I can open a pull request instead, rebase and push normally, or leave {branch} as it is. "
    "Which of the three do you want?"
)
