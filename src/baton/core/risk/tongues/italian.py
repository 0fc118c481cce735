"""Italian."""

from __future__ import annotations

from baton.core.risk.tongues.tongue import Act, Said, Tongue

_REQUEST = r"prs? pull[\s-]?requests? mrs? merge[\s-]?requests? #\d+"
ITALIAN = Tongue(
    "it",
    refuses="non mai senza prima_di aspetta nulla niente chiedi",
    talks=(
        "spiega* leggi leggere scrivi scrivere descrivi* controlla* controllare verifica* verificare "
        "testa testare documenta* correggi* "
        "guarda* cerca* trova* scopri* aggiungi* aggiungere implementa* riassumi* mostra* confronta* "
        "analizza* studia* perché come "
        "cosa quale rinomina* prepara* pianifica* elenca* capisci* sistema crea_un_test indaga* simula* "
        "migliora* rivedi*"
    ),
    joins="e ed poi quindi dopo o ma",
    code="import l'import importazion* variabil* funzion* metod* class* component* pulsant* comment* "
    "codice test righe riga parametr* argoment* form documentazione spazi icon* notific* pila",
    rows=(
        Said(
            Act.PUSH,
            "(?:fai|fare|facciamo|esegui)_(?:il_|un_)?push pusha* pushare spingi* spingere",
            but="pila pulsante",
        ),
        Said(
            Act.MERGE,
            "unisci* unire fondi fondere mergia* mergiare (?:fai|fare)_(?:il_|un_)?merge integra*",
            rf"{_REQUEST} main master branch ramo produzione",
        ),
        Said(
            Act.DEPLOY,
            "distribuisci* distribuire rilascia* rilasciare "
            "(?:fai|fare|esegui)_(?:il_|un_)?(?:deploy|rilascio) deploya* deployare "
            "met*…in_produzione porta*…in_produzione pubblica*_in_produzione manda*…in_produzione",
        ),
        Said(Act.DEPLOY, "ripristina* riporta* annulla*", "produzione deploy rilascio database versione_precedente"),
        Said(Act.PUBLISH, "pubblica pubblicare pubblichiamo carica caricare", but="evento eventi dati_di_test"),
        Said(
            Act.DELETE,
            "elimina eliminare eliminiamo cancella cancellare rimuovi rimuovere svuota svuotare distruggi* "
            "distruggere azzera* azzerare pulisci* "
            "tronca* disinstalla* sovrascriv* butta",
            r"tabell* databas* bucket* volum* cluster account utent* client* dati righe record backup copi* "
            r"produzione branch ram* tag "
            r"repository server istanz* cartell* directory file tutt* indic* ordin* log snapshot ambient* "
            r"schem* disco dischi cod* segret* "
            r"chiav* immagin* pacchett* messagg* e-?mail mail progett* container cronologia cestino contenut* "
            r"cache staging",
            but="un_file",
        ),
        Said(
            Act.MIGRATE,
            "esegui eseguire applica* applicare lancia* lanciare avvia* avviare fai_girare",
            "migrazion*",
            but="file_di_migrazione",
        ),
        Said(Act.MIGRATE, "migra migrare", "databas* dati schema produzione server tabell*"),
        Said(
            Act.RUN,
            "esegui eseguire lancia* lanciare avvia* avviare fai_partire",
            r"deploy\S* rilascio release\S* pubblicazione pagament* rollout",
        ),
        Said(
            Act.PAY,
            "paga pagare rimborsa* rimborsare addebita* addebitare compra* comprare ordina ordinare "
            "bonifica* trasferisci* trasferire disdici* "
            "disdire salda* versa versare acquista*",
            r"fattur* client* soldi carta euro eur € importo fornitor* abbonament* licenz* ordin* stipend* "
            r"dollari canone conto contratto denaro",
        ),
        Said(
            Act.SEND,
            "invia inviare inviamo manda* mandare spedisci* spedire posta postare rispondi* rispondere "
            "notifica* notificare avvisa* invita* "
            "invitare annuncia* annunciare inoltra* commenta*",
            r"\S*e-?mail mail newsletter messagg* client* utenti annunci* invit* slack canale team iscritti "
            r"rapport* report offert* "
            r"preventiv* fattur* membri tutti modulo lettera stampa",
        ),
        Said(
            Act.STOP,
            "riavvia* riavviare ferma* fermare arresta* arrestare spegni* spegnere scala* scalare sospendi* disattiva*",
            r"server servizi* produzione istanz* cluster databas* macchin* pod sito",
        ),
        Said(
            Act.ACCESS,
            "revoca* revocare ruota* ruotare rinnova* rinnovare dai dare concedi* concedere reimposta* "
            "invalida* cambia* aggiorna*",
            r"chiav* token access* password certificat* permess* credenzial* segret* dns admin*",
        ),
        Said(
            Act.DISCARD,
            "scarta* scartare annulla* annullare resetta* resettare riscrivi* riscrivere sovrascriv* rebase* butta",
            "modific* cambiamenti commit cronologia branch databas* produzione",
        ),
        Said(
            Act.FORGE,
            "apri* aprire crea* creare chiudi* chiudere approva* approvare",
            rf"{_REQUEST} ticket issue segnalazion* release*",
        ),
        Said(Act.EXPOSE, "rendi…pubblic* rendere…pubblic*"),
    ),
)
