"""German and Dutch."""

from __future__ import annotations

from baton.core.risk.tongues.tongue import Act, Said, Tongue

_REQUEST = r"prs? pull[\s-]?requests? mrs? merge[\s-]?requests? #\d+"
GERMAN = Tongue(
    "de",
    ends=True,
    refuses="nicht nichts kein* nie niemals ohne bevor warte* erst_wenn auf_keinen_fall nirgends frag* verbot*",
    refuses_after=r"nicht(?=\s*$) nicht_(?:mehr|jetzt|heute)(?=\s*$) noch_nicht",
    talks=(
        "erklär* erläuter* lies lese lesen schreib* schau* sieh seht prüf* überprüf* teste testen "
        "dokumentier* beschreib* fasse füge "
        "baue bauen implementier* behebe* korrigier* untersuch* finde finden analysier* vergleich* zeig "
        "zeige zeigen nenne plane planen "
        "entwirf entwerfen ergänz* refaktor* benenn* überleg* warum wie wieso weshalb was welche* "
        "repariere* vorbereiten bereite* "
        "recherchier* simulier* skizzier* formatier* verstehe* zusammenfassen hinzufügen einbauen"
    ),
    joins="und dann danach anschließend oder aber sowie",
    code=(
        "import* variable* funktion* methode* klasse* komponente* knopf knöpfe button* kommentar* code "
        "test tests testfall zeile zeilen "
        "parameter* argument* formular* leerzeichen feld felder migrationsdatei* toter icon* dialog* "
        "menü* abhängigkeit* "
        "doku* readme changelog benachrichtigung* lokal beispiel* stapel"
    ),
    rows=(
        Said(
            Act.PUSH,
            "pushen pushe pusht gepusht force-pushen hochschieben schiebe…(?:hoch|origin|remote|branch) hochpushen",
        ),
        Said(
            Act.MERGE,
            "mergen einmergen zusammenführen führe…zusammen übernehmen übernimm",
            rf"{_REQUEST} main master produktion* hauptzweig branch zweig release*",
        ),
        Said(
            Act.DEPLOY,
            "deployen deploye redeployen ausrollen rolle…aus ausliefern liefere…aus live_schalten "
            "schalte…live live_stellen live_nehmen "
            "live_gehen produktiv_setzen in_produktion_(?:bringen|nehmen|geben) bring*…in_produktion "
            "bringe*…live nimm…in_betrieb "
            "auf_(?:produktion|prod)_(?:bringen|spielen|stellen) spiel*…(?:produktion|prod|live) "
            "bereitstellen stell*…bereit",
        ),
        Said(
            Act.DEPLOY,
            "zurückrollen rolle…zurück rollback",
            "produktion* deployment* release* version* server* cluster*",
        ),
        Said(
            Act.PUBLISH,
            "veröffentlich* publizier* hochladen lade…hoch hochlad* releasen release_erstellen erstelle…release",
            but="ankündigung*",
        ),
        Said(Act.PUBLISH, "veröffentlich* poste posten", "ankündigung* beitrag artikel"),
        Said(
            Act.DELETE,
            "lösch lösche löschen gelöscht entferne entfernen entfern leere leeren droppe droppen vernichte* "
            "zerstör* wegwerfen wirf…weg "
            "säuber* bereinig* räum*…(?:leer|weg) truncate* überschreib* deinstallier* formatier* plätte* "
            "abreiß* reiß*…ab terminier*",
            r"\w*tabelle* \w*datenbank* db \w*bucket* \w*volume* \w*cluster* \w*konto \w*konten \w*benutzer "
            r"\w*nutzer account* "
            r"\w*datensätze \w*datensatz \w*daten \w*backup* sicherung* produktion* \w*branch* \w*zweig* "
            r"\w*zweige tags? repo* "
            r"\w*server* \w*instanz* \w*ordner \w*verzeichnis* dateien alles alle index* kunden* bestellung* "
            r"\w*logs? snapshot* umgebung* "
            r"\w*schema festplatte* partition* \w*queue* \w*schlüssel image* paket* nachrichten mails "
            r"e-?mails daten inhalt* papierkorb "
            r"cache \w*container projekt* organisation* historie verlauf postgres staging",
        ),
        Said(
            Act.MIGRATE,
            "führe…(?:aus|durch) ausführen durchführen starte starten wende…an anwenden laufen_lassen "
            "lass…laufen spiel*…ein einspielen "
            "fahre…(?:aus|durch) anstoßen stoße…an",
            r"\w*migration \w*migrationen schemaänderung* datenbankmigration*",
        ),
        Said(
            Act.MIGRATE,
            "migriere migrieren",
            r"\w*datenbank* schema* produktion* daten \w*tabelle* nutzer kunden server",
        ),
        Said(
            Act.RUN,
            "starte starten führe…aus ausführen anstoßen stoße…an auslösen löse…aus triggere* triggern",
            r"\w*deployment* deploy\S* release\S* rollout\S* \w*produktion* veröffentlichung* zahlungslauf "
            r"auszahlung* publish\S*",
        ),
        Said(
            Act.PAY,
            "zahl zahle zahlen bezahl* überweis* erstatte* rückerstatte* zurückerstatt* zurückzahlen "
            "belaste* kaufe kaufen bestell bestelle "
            "bestellen kündig* buche buchen abbuchen begleiche* zurücküberweis* stornier*",
            r"\w*rechnung* betrag beträge euro eur € \d+[\d.,]*\s?€ kunde\w* geld lieferant* \w*karte* konto "
            r"\w*lizenz* abo* vertrag* verträge "
            r"gehalt gehälter gebühr* bestellung* franken dollar server anbieter",
        ),
        Said(
            Act.SEND,
            "send sende senden schick schicke schicken verschick* versend* poste posten antworte* "
            "benachrichtig* informier* einladen lade…ein "
            "maile mailen abschicken schicke…ab absenden kommentier*",
            r"\w*mail* newsletter nachricht* kunde\w* nutzer* ankündigung* einladung* slack kanal \w*kanal "
            r"team abonnent* bericht* "
            r"rechnung* angebot* mitglied* alle formular vorstand \w*brief* presse pr issue ticket*",
        ),
        Said(
            Act.STOP,
            "starte…neu neu_?starten neustarten stoppe stoppen fahre…(?:herunter|runter) herunterfahren "
            "runterfahren skalier* abschalten "
            "schalte…(?:ab|aus) ausschalten pausier* beende beenden rebooten",
            r"\w*server* \w*dienst* \w*produktion* \w*instanz* \w*cluster* \w*datenbank* maschine* rechner "
            r"\w*pods? vms? knoten website \w*system",
        ),
        Said(
            Act.ACCESS,
            "widerruf* rotier* erneuer* gib…(?:rechte|zugriff|zugang|admin\\w*) gewähr* sperr* entzieh* "
            "zurückzieh* zurücksetzen setz*…zurück "
            "austauschen tausche…aus ändere ändern",
            r"\S*schlüssel token* zugang* \w*passwort passwörter zertifikat* zugriff* \w*rechte berechtigung* "
            r"secret* credentials admin* "
            r"\w*zugangsdaten dns\S* zugriffsrechte",
        ),
        Said(
            Act.DISCARD,
            "verwirf verwerfe* verwerfen zurücksetzen setz*…zurück rebase* rebasen umschreiben schreibe…um "
            "amend* rückgängig_machen",
            r"\w*änderungen commits? \w*branch* \w*datenbank* \w*produktion* arbeitsverzeichnis historie "
            r"verlauf git-historie main master",
        ),
        Said(
            Act.FORGE,
            "öffne öffnen erstell* schließ* leg*…an anlegen aufmachen mache…auf genehmig* zuweisen mach*…zu zumachen",
            rf"{_REQUEST} ticket* issue* release* gist",
        ),
        Said(Act.EXPOSE, "mach*…öffentlich öffentlich_(?:machen|stellen) stell*…öffentlich freigeben gib…frei"),
    ),
)
DUTCH = Tongue(
    "nl",
    ends=True,
    refuses="niet niets geen nooit zonder voordat wacht* vraag",
    refuses_after=r"niet(?=\s*$) nog_niet",
    talks=(
        "leg uitleg* lees lezen schrijf* schrijven kijk* controleer* test documenteer* beschrijf* vat "
        "voeg bouw implementeer* "
        "repareer* corrigeer* onderzoek* zoek* vergelijk* toon laat waarom hoe wat welke analyseer* plan "
        "begrijp* los verbeter*"
    ),
    joins="en dan daarna vervolgens of maar",
    code="import* variabele* functie* methode* klasse* component* knop* commentaar code test tests regel "
    "regels parameter* \\w*knop documentatie",
    rows=(
        Said(Act.PUSH, "pushen gepusht", but="stapel"),
        Said(Act.MERGE, "mergen samenvoegen voeg…samen", rf"{_REQUEST} main master productie branch"),
        Said(
            Act.DEPLOY,
            "deployen uitrollen rol…uit live_zetten zet…live in_productie_(?:nemen|zetten) zet…in_productie "
            "breng*…live",
        ),
        Said(Act.PUBLISH, "publiceer publiceren uploaden upload"),
        Said(
            Act.DELETE,
            "verwijder verwijderen wis wissen leeg leegmaken maak…leeg vernietig* gooi…weg weggooien",
            r"\w*tabel \w*tabellen \w*database* \w*bucket* cluster* account* gebruiker* \w*gegevens data "
            r"\w*back-?up* productie* branch* "
            r"server* map mappen bestanden alles alle klanten volume* repo* instantie* omgeving* logs? index*",
        ),
        Said(
            Act.MIGRATE, "voer…uit uitvoeren start starten draai draaien pas…toe toepassen", r"\w*migratie \w*migraties"
        ),
        Said(Act.RUN, "voer…uit uitvoeren start starten draai", r"\w*deploy\S* uitrol release\S* productie\S*"),
        Said(
            Act.PAY,
            "betaal betalen vergoed* terugbetalen betaal…terug koop kopen bestel bestellen maak…over "
            "overmaken zeg…op opzeggen",
            r"\w*factuur facturen klant* geld euro eur leverancier* licentie* abonnement* bedrag bestelling*",
        ),
        Said(
            Act.SEND,
            "stuur sturen verstuur versturen verzend* plaats plaatsen mailen beantwoord* nodig…uit uitnodigen",
            r"\w*mail* nieuwsbrief bericht* klant* gebruikers aankondiging* uitnodiging* slack kanaal team rapport*",
        ),
        Said(
            Act.STOP,
            "herstart* stop stoppen zet…uit uitzetten schaal schalen sluit…af",
            r"\w*server* productie* dienst* cluster* \w*database* instantie*",
        ),
        Said(
            Act.ACCESS,
            "trek…in intrekken roteer* vernieuw* geef",
            r"\S*sleutel* token* toegang wachtwoord* certificaat rechten",
        ),
        Said(
            Act.DISCARD,
            "gooi…weg verwerp* reset resetten herschrijf*",
            r"wijzigingen commits? geschiedenis \w*database* branch",
        ),
        Said(Act.FORGE, "open openen maak maken sluit sluiten", rf"{_REQUEST} ticket* issue* release*"),
    ),
)
