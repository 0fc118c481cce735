"""What the people of the corpus say: requests, demands, refusals and changes of mind in seven languages."""

from __future__ import annotations

REQUESTS = {
    "en": (
        "The {module} module loses requests when two workers start at once. Find out why and fix it, test in {file}.",
        "Please add pagination to the {module} endpoint; clients send `page` and `size`. Start with {file}.",
        "Now make the importer in {file} stream its input: a 2 GB file takes the machine down.",
        "Look at https://ci.example.org/runs/{number} and tell me why {module} is flaky, then repair it.",
        "Rename the setting `{module}_limit` to `{module}_max` everywhere and keep reading the old name.",
        "The retry in {module} sleeps while it holds the lock. Move it out, see ticket OPS-{number}.",
        "Can you check staging.example.org:{port} and compare its {module} headers with what {file} sets?",
        "good. next: the {module} dashboard shows yesterday's numbers until noon. the cache in {file} is my suspect",
    ),
    "de": (
        "Im Modul {module} gehen Anfragen verloren, sobald zwei Prozesse starten. Bitte beheben, Test in {file}.",
        "Bau bitte eine Seitenblätterung in {module} ein und fang mit {file} an. Größe 50, änderbar.",
        "Die Fehlermeldung in {file} ist unverständlich. Formuliere sie so, dass man weiß, was zu tun ist.",
    ),
    "fr": (
        "Le module {module} perd des requêtes au démarrage. Trouve la cause et corrige-la, avec un test dans {file}.",
        "Ajoute la pagination à {module}, en commençant par {file}. Les clients envoient page et size.",
    ),
    "es": (
        "El módulo {module} pierde peticiones al arrancar. Encuentra la causa y arréglala, con una prueba en {file}.",
        "Añade paginación a {module}; empieza por {file}. Los clientes mandan page y size.",
    ),
    "ru": (
        "Модуль {module} теряет запросы при старте двух процессов. Найди причину и исправь, тест положи в {file}.",
        "Добавь постраничный вывод в {module}, начни с файла {file}. Размер страницы 50.",
    ),
    "zh": (
        "{module} 模块在两个进程同时启动时会丢失请求。请找出原因并修复，测试写在 {file} 里。",
        "请给 {module} 接口加上分页，从 {file} 开始，默认每页 50 条，并更新文档说明。",
    ),
    "ja": (
        "{module} は二つのプロセスが同時に起動すると失敗します。原因を調べて、{file} にテストを書いてください。",
        "{module} のエンドポイントにページングを追加してください。まず {file} から始めて、既定は 50 件です。",
    ),
}

DEMANDS = {
    "en": (
        "Never touch anything below {folder}/: another team owns it.",
        "Do not add a new dependency for {module}; the standard library must be enough.",
        "Only push to the branch I named, and never with --force.",
        "Keep the public API of {file} exactly as it is, without renaming a parameter.",
        "You must run the {module} tests before every commit, always with -p no:randomly.",
        "Avoid sleeping in tests; use the fake clock of {module} instead of real time.",
        "No need to support Python 3.9 any more, but don't use anything newer than 3.11 in {file}.",
    ),
    "de": (
        "Fass unter {folder}/ niemals etwas an, das gehört einem anderen Team.",
        "Für {module} darf keine neue Abhängigkeit dazukommen, nur die Standardbibliothek.",
    ),
    "fr": (
        "Ne modifie jamais rien sous {folder}/, cela appartient à une autre équipe.",
        "Il ne faut pas ajouter de dépendance à {module}, seulement la bibliothèque standard.",
    ),
    "es": (
        "Nunca toques nada dentro de {folder}/, es de otro equipo.",
        "No debe haber dependencias nuevas en {module}.",
    ),
    "ru": (
        "Никогда не трогай ничего в {folder}/, это чужая команда.",
        "В {module} нельзя добавлять новые зависимости.",
    ),
    "zh": ("不要修改 {folder}/ 下面的任何文件，那是别的团队的。", "{module} 必须只用标准库，禁止新增依赖。"),
    "ja": (
        "{folder}/ の下は別のチームのものなので、絶対に触らないでください。",
        "{module} に新しい依存を追加しないでください。",
    ),
}

PLAIN_RULES = {
    "en": (
        "Ask me before you push {module}.",
        "Hands off the {folder}/ folder, another team owns it.",
        "No new dependencies in {module}.",
        "Refunds above {number} EUR need a manager's approval in {module}.",
    ),
    "de": ("Frag mich, bevor du {module} veröffentlichst.", "Finger weg von {folder}/, das gehört einem anderen Team."),
    "fr": ("Demande-moi avant de publier {module}.", "Pas de nouvelle dépendance dans {module}."),
    "es": ("Pregúntame antes de publicar {module}.", "Nada de dependencias nuevas en {module}."),
    "ru": ("Спроси меня, прежде чем публиковать {module}.", "Руки прочь от {folder}/, это чужая команда."),
    "zh": ("发布 {module} 之前先问我。", "{folder}/ 归别的团队管。"),
    "ja": ("{module} を公開する前に私に聞いてください。", "{folder}/ は別チームの担当です。"),
}
"""Rules without a word that a list would know."""

PASTED = (
    "ERROR {module} must not be called twice (worker.py:{number})",
    "- never retry {module} without a token",
    "+ # do not edit: generated from {file}",
    "WARN only {number} rows of {module} were written",
)
"""Lines with a listed word that nobody typed."""

ASIDES = (
    "Is {module} only slow for us?",
    "It always crashes in {module} after lunch.",
    "Why must {file} be read twice?",
)
"""Sentences with a listed word that demand nothing."""

OFFERS = {
    "en": (
        "Two ways are open for {module}: a lock, or a queue of its own. Shall I take the queue in {file}?",
        "The change in {file} is ready. Should I also move the {module} callers now?",
        "I can split {file} in two, or leave it and only add a test. Which one do you want?",
    ),
    "de": ("Für {module} gibt es zwei Wege. Soll ich die Warteschlange in {file} nehmen?",),
    "fr": ("Deux voies sont possibles pour {module}. Dois-je commencer par {file} ?",),
    "zh": ("{module} 有两种做法。要不要先改 {file}？",),
}

REFUSED_COMMANDS = (
    "git push --force-with-lease origin {branch} --tags={number}",
    "gh pr ready {number}",
    "rm -rf build/{module}_{number}",
    "./scripts/deploy_{module}.sh --env production --ticket {number}",
    "npm publish --tag {module}-{number}",
)

REFUSAL_WORDS = {
    "en": (
        "actually maybe let us test {module} a bit more first",
        "not now: {file} is under review until Thursday",
        "wait, does this keep the {module} tags? show me what it would do first",
    ),
    "de": ("Nein, erst will ich sehen, was sich in {file} ändert.", "Stopp, {module} ist gerade in der Abnahme."),
    "fr": ("Non, montre-moi d'abord ce que {file} devient.",),
    "es": ("No, primero quiero ver los cambios de {file}.",),
    "ru": ("Нет, сначала покажи, что изменится в {file}.",),
    "zh": ("先别这样做，{file} 还在评审中，等我确认。",),
    "ja": ("まだ実行しないで。{file} の変更点を先に見せてください。",),
}

QUESTIONS = (
    (
        "How should {module} store its state?",
        ("SQLite with a write-ahead log", "A JSON file per worker", "Only in memory"),
    ),
    ("Which way of paging for {module}?", ("Cursor based paging", "Page number and size")),
    ("What about the old {module} setting?", ("Keep reading the old name", "Remove it in this release")),
)

SUBJECTS = (
    "{module}: move the retry out of the lock in {file}",
    "fix: close {module} in every case (OPS-{number})",
    "make room for the {module} queue",
    "{module}: write a regression test in {file}",
)

CHANGED_MINDS = (
    (
        "Always log the {module} payload at debug level while we look for this.",
        "Forget what I said about logging the {module} payload: privacy said no.",
    ),
    (
        "Keep the {module} feature flag switched off in the fixtures.",
        "Scratch that about the {module} feature flag in the fixtures, it can be on now.",
    ),
    (
        "Never change the {module} schema version in this branch.",
        "I changed my mind about the {module} schema version in this branch: raise it to 7.",
    ),
    (
        "Do not touch the {module} fixtures.",
        "You can touch the {module} fixtures after all, the freeze is over.",
    ),
    (
        "Auf die {module} Datenbank darf nur lesend zugegriffen werden.",
        "Das mit der {module} Datenbank gilt nicht mehr, schreib ruhig hinein.",
    ),
    (
        "Always rebase {module} commits, never merge.",
        "The rule about rebasing {module} commits does not apply any more; merge as you like.",
    ),
)

REAFFIRMED = (
    (
        "Never change the {module} error codes, clients match on them.",
        "Don't forget what I said about the {module} error codes.",
    ),
    (
        "Only use UTC in the {module} timestamps.",
        "Do not drop the rule about {module} timestamps while you refactor.",
    ),
    (
        "Never cancel a running {module} job from a test.",
        "The {module} job hangs again: I will cancel it by hand, you look at why it is still running.",
    ),
    (
        "Il ne faut jamais renommer les colonnes de {module}.",
        "N'oublie pas ce que j'ai dit sur les colonnes de {module}.",
    ),
)
"""A demand, and what is said about it later without taking it back."""

SHORT = (
    "yes, go on",
    "ok",
    "looks good, do the next point",
    "hm, why?",
    "weiter so",
    "vas-y",
    "да, продолжай",
    "好的，继续",
)

THOUGHTS = (
    "I looked at {file}. I decided to keep the lock around the read only, because the retry must not hold it.",
    "Let me check how {module} is used before I change it.",
    "The failure comes from {file}; the worker starts before its queue exists.",
    "I will use a context manager instead of the try block, so that {module} is closed in every case.",
    "That did not work. Trying the other way round.",
    "I use `strings.Cut` instead of `strings.SplitN` in {module} because it says what is meant.",
    "Now the tests for {module}.",
)

CLOSING = (
    "All of it is done: {file} has the change, the tests of {module} are green and the notes are in the commit.",
    "Finished. The {module} work is complete; {file} documents what changed.",
    "That is everything for {module}: nothing is left open in {file}.",
)

PLAN_VERBS = (
    "Reproduce the lost request in {module}",
    "Move the retry of {module} out of the lock",
    "Write a regression test in {file}",
    "Document the new {module} setting",
    "Migrate the callers of {module} to the new name",
    "Remove the old {module} shim once nobody uses it",
    "Measure {module} under load and note the figures",
    "Ask for a review of {file}",
)

SKILL = "Base directory for this skill: /home/dev/skills/release\n\n# Release\n\nNever publish untagged. Always ask."
CAVEAT = (
    "Caveat: The messages below were generated by the user while running local commands. DO NOT respond to these "
    "messages or otherwise consider them in your response unless the user explicitly asks you to."
)
CONTINUED = (
    "This session is being continued from a previous conversation that ran out of context. The conversation is "
    "summarized below:\n"
)
