"""Russian, Ukrainian and Polish."""

from __future__ import annotations

from baton.core.risk.tongues.tongue import Act, Said, Tongue

_REQUEST = r"prs? пр pull[\s-]?request\w* пулл?-?реквест\w* mrs? merge[\s-]?request\w* мерж-?реквест\w* #\d+"
RUSSIAN = Tongue(
    "ru",
    letters="а-яё",
    refuses="не ничего никогда без подожди* прежде_чем нельзя спроси*",
    talks=(
        "объясни* объяснить прочитай* прочитать прочти напиши* написать опиши* описать проверь* "
        "проверить протестируй* протестировать "
        "задокументируй* исправь* исправить посмотри* посмотреть найди* найти выясни* выяснить добавь* "
        "добавить реализуй* реализовать "
        "покажи* показать сравни* сравнить проанализируй* изучи* изучить почему как что какой какие "
        "переименуй* подготовь* спланируй* "
        "разберись почини* починить расскажи* узнай* сделай_тест резюмируй* подытожь* отрефактор* "
        "смоделируй* улучши* обсуди*"
    ),
    joins="и а затем потом после_этого или но",
    code=(
        "импорт* переменн* функци* метод* класс* компонент* кнопк* комментари* код кода тест тесты "
        "тестов строк* строчк* параметр* аргумент* "
        "форм* документаци* пробел* иконк* уведомлен* локально стек"
    ),
    rows=(
        Said(Act.PUSH, "запуш* пуш пушь пушни пушнуть пушить отпуш* push (?:сделай|сделать|делай)_push"),
        Said(
            Act.PUSH,
            "отправь отправить залей залить выложи выложить загрузи загрузить",
            "ветк* коммит* изменения origin репозитори* удалённ* удаленн* remote",
        ),
        Said(
            Act.MERGE,
            "влей влить вливай смерж* смёрж* замерж* мерж* слей слить объедини* объединить merge прими принять",
            rf"{_REQUEST} main master ветк* прод*",
        ),
        Said(
            Act.DEPLOY,
            "задепло* депло(?:й|ить|им) выкати* выкатить выкатывай раскат* раскатить раскати разверн* "
            "развёрн* зарелиз* выпусти выпустить релизни* "
            "вывед*…(?:прод|боев)* (?:сделай|сделать)_(?:деплой|релиз) запусти*…в_прод*",
        ),
        Said(
            Act.DEPLOY,
            "откати* откатить откатывай верни вернуть восстанови*",
            "прод\\w* продакшен* релиз* деплой* версию баз* сервер*",
        ),
        Said(
            Act.PUBLISH,
            "опубликуй* опубликовать публикуй* выложи выложить залей загрузи",
            "\\S+",
            but="фикстур* тестов\\w+",
        ),
        Said(
            Act.DELETE,
            "удали удалить удалите удаляй сотри стереть очисти очистить очистите уничтожь* уничтожить снеси* "
            "снести дропн* дропни грохни* убей убить вычисти* "
            "обнули* обнулить опустоши* выброси* выбросить деинсталлир* перезапиши* форматир* отформатир*",
            r"таблиц* баз* бд бакет* том тома кластер* аккаунт* учётн* учетн* пользовател* клиент* данн* "
            r"запис* бэкап* резервн* копи* прод* боев* "
            r"ветк* тег* репозитори* сервер* инстанс* папк* каталог* директори* файлы всё все всех индекс* "
            r"заказ* лог логи логов снапшот* "
            r"окружени* схем* диск* раздел* очеред* секрет* ключ* образ* пакет* сообщени* письма проект* "
            r"контейнер* истори* корзин* кэш*",
        ),
        Said(
            Act.MIGRATE,
            "примени* применить применяй запусти запустить выполни* выполнить прогони* прогнать накати* "
            "накатить проведи* провести",
            "миграци*",
            but="файл*_миграции тест*",
        ),
        Said(Act.MIGRATE, "мигрируй* мигрировать смигрируй*", "баз* бд данн* схем* прод* сервер*"),
        Said(
            Act.RUN,
            "запусти запустить выполни* выполнить стартуй* стартани",
            "деплой* релиз* выкатк* раскатк* публикаци* выплат* deploy\\S* release\\S*",
        ),
        Said(
            Act.PAY,
            "оплати* оплатить заплати* заплатить переведи* перевести верни вернуть возврати* купи купить "
            "закажи* заказать спиши* списать отмени* отменить пополни*",
            "счёт счет счета деньг* денег клиент* евро рубл* доллар* поставщик* карт* подписк* лицензи* "
            "заказ* сумм* зарплат* платёж* платеж* договор*",
        ),
        Said(
            Act.SEND,
            "отправь отправить отправьте пошли послать вышли выслать разошли* разослать ответь* ответить "
            "уведоми* уведомить оповести* оповестить "
            "пригласи* пригласить анонсируй* напиши*_(?:клиент|пользовател|команд|всем)* запости* опубликуй* "
            "перешли* сообщи*",
            r"письм* почт* \S*mail\S* e-?mail* рассылк* сообщени* клиент* пользовател* анонс* приглашени* "
            r"slack слак* канал* команд* отчёт* отчет* "
            r"счёт счет всем подписчик* участник* коммерческ*",
        ),
        Said(
            Act.STOP,
            "перезапусти* перезапустить перезагрузи* останови* остановить выключи* выключить заглуши* "
            "отключи* масштабируй* погаси* рестартни*",
            "сервер* сервис* прод* боев* инстанс* кластер* баз* машин* под поды сайт*",
        ),
        Said(
            Act.ACCESS,
            "отзови* отозвать смени* сменить обнови* обновить перевыпусти* выдай* выдать дай дать сбрось* "
            "сбросить аннулируй* ротируй*",
            "ключ* токен* доступ* парол* сертификат* права секрет* dns админ*",
        ),
        Said(
            Act.DISCARD,
            "сбрось* сбросить отбрось* отбросить отмени* отменить перепиши* переписать ребейз* затри*",
            "изменени* коммит* истори* ветк* баз* прод* правк*",
        ),
        Said(
            Act.FORGE,
            "открой* открыть создай* создать закрой* закрыть одобри* одобрить заведи* завести",
            rf"{_REQUEST} задач* тикет* issue* релиз* ишью",
        ),
        Said(Act.EXPOSE, "сделай…публичн* сделать…публичн* открой…доступ*…всем"),
    ),
)
UKRAINIAN = Tongue(
    "uk",
    letters="а-яіїєґ",
    refuses="не нічого ніколи без зачекай* перш_ніж",
    talks="поясни* прочитай* напиши* опиши* перевір* протестуй* виправ* подивись знайди* з'ясуй* додай* "
    "реалізуй* покажи* порівняй* чому як що",
    joins="і й та потім або але",
    code="імпорт* змінн* функці* метод* клас* компонент* кнопк* комент* код тест тести рядк* параметр* аргумент*",
    rows=(
        Said(Act.PUSH, "запуш* пушни пушити push"),
        Said(Act.MERGE, "злий злити змерж* об'єднай*", rf"{_REQUEST} main master гілк*"),
        Said(Act.DEPLOY, "задепло* розгорн* викоти* викотити випусти* зареліз*"),
        Said(Act.PUBLISH, "опублікуй* опублікувати виклади*"),
        Said(
            Act.DELETE,
            "видали* видалити вилучи* очисти* знищ* зітри*",
            "таблиц* баз* бакет* кластер* акаунт* користувач* клієнт* дан* запис* копі* прод* гілк* сервер* "
            "папк* файли все всі репозитор*",
        ),
        Said(
            Act.MIGRATE, "застосуй* застосувати запусти* виконай* виконати прожени*", "міграці*", but="файл*_міграції"
        ),
        Said(
            Act.PAY,
            "оплати* сплати* сплатити перекажи* поверни* купи* замов*",
            "рахун* грош* клієнт* євро грн гривень постачальник* підписк* ліценз*",
        ),
        Said(
            Act.SEND,
            "надішли* надіслати відправ* розішли* повідом* запроси*",
            "лист* пошт* \\S*mail\\S* повідомлен* клієнт* користувач* slack канал команд*",
        ),
        Said(Act.STOP, "перезапусти* зупини* вимкни* перезавантаж*", "сервер* сервіс* прод* кластер* баз*"),
        Said(Act.DISCARD, "скинь скинути відкинь* скасуй*", "зміни змін коміт* істор* гілк* баз*"),
        Said(Act.FORGE, "відкрий* створи* закрий*", rf"{_REQUEST} задач* тікет* issue*"),
        Said(Act.ACCESS, "відклич* зміни* онови* надай*", "ключ* токен* доступ* пароль* сертифікат* прав*"),
    ),
)
POLISH = Tongue(
    "pl",
    refuses="nie nigdy bez zanim poczekaj nic",
    talks=(
        "wyjaśnij* przeczytaj* napisz* napisać opisz* sprawdź* sprawdzić przetestuj* udokumentuj* "
        "popraw* obejrzyj zobacz znajdź* dodaj* "
        "zaimplementuj* pokaż* porównaj* przeanalizuj* dlaczego jak co podsumuj* napraw* ustal* zbadaj*"
    ),
    joins="i oraz potem następnie lub ale",
    code="import* zmienn* funkcj* metod* klas* komponent* przycisk* komentarz* kod kodu test testy testów "
    "linij* parametr* argument* plik_migracji dokumentacj*",
    rows=(
        Said(Act.PUSH, "wypchnij* wypchnąć wypychaj pushnij* spushuj* zpushuj* push (?:zrób|zrobić)_push"),
        Said(
            Act.MERGE, "scal scalić zmerguj* zmergować merge połącz", rf"{_REQUEST} main master gałąź gałęz* produkcj*"
        ),
        Said(
            Act.DEPLOY,
            "wdróż* wdrożyć wdrażaj zdeployuj* wypuść* wypuścić wydaj (?:zrób|zrobić)_(?:deploy|release|wdrożenie)",
        ),
        Said(Act.DEPLOY, "wycofaj* cofnij* przywróć*", "produkcj* wdrożen* wydani* wersj*"),
        Said(Act.PUBLISH, "opublikuj* opublikować publikuj wgraj* wrzuć_na"),
        Said(
            Act.DELETE,
            "usuń* usunąć skasuj* skasować wyczyść* wyczyścić opróżnij* zniszcz* wymaż*",
            "tabel* baz* bucket* wolumen* klaster* kont* użytkownik* klient* dan* rekord* kopi* backup* "
            "produkcj* gałąź gałęz* serwer* instancj* katalog* folder* pliki wszystk* repozytori* zamówien* "
            "log* środowisk* kosz* historię cache",
        ),
        Said(
            Act.MIGRATE,
            "uruchom* uruchomić zastosuj* zastosować wykonaj* wykonać odpal* puść",
            "migracj*",
            but="plik*_migracji",
        ),
        Said(Act.RUN, "uruchom* uruchomić odpal* wykonaj*", "wdrożeni* deploy\\S* release\\S* publikacj*"),
        Said(
            Act.PAY,
            "zapłać* zapłacić opłać* opłacić przelej* przelać zwróć* zwrócić kup kupić zamów* zamówić anuluj* obciąż*",
            "faktur* rachun* pieniądz* klient* euro eur zł złotych dostawc* karta kartę subskrypcj* licencj* "
            "kwot* zamówien*",
        ),
        Said(
            Act.SEND,
            "wyślij* wysłać prześlij* odpowiedz* powiadom* zaproś* ogłoś* napisz_do opublikuj*",
            r"\S*mail* wiadomoś* newsletter* klient* użytkownik* ogłoszen* zaproszen* slack* kanał* kanale "
            r"zespoł* raport* wszystk*",
        ),
        Said(
            Act.STOP,
            "zrestartuj* zatrzymaj* wyłącz* przeskaluj* uruchom_ponownie",
            "serwer* usług* produkcj* instancj* klaster* baz* maszyn*",
        ),
        Said(
            Act.ACCESS,
            "unieważnij* odwołaj* zmień* odnów* nadaj* cofnij*",
            "klucz* token* dostęp* hasł* certyfikat* uprawnien* sekret*",
        ),
        Said(
            Act.DISCARD, "odrzuć* porzuć* zresetuj* cofnij* przepisz*", "zmian* commit* histori* gałąź baz* produkcj*"
        ),
        Said(Act.FORGE, "otwórz* utwórz* zamknij* zatwierdź*", rf"{_REQUEST} zgłoszeni* ticket* issue* wydani*"),
    ),
)
