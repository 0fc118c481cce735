"""French."""

from __future__ import annotations

from baton.core.risk.tongues.tongue import Act, Said, Tongue

_REQUEST = r"prs? pull[\s-]?requests? mrs? merge[\s-]?requests? #\d+"
FRENCH = Tongue(
    "fr",
    refuses="ne n'\\w+ pas jamais sans avant_(?:de|que) attends attendez attendre rien demande-moi",
    talks=(
        "explique* lis lire lisez écris écrire écrivez décris décrire vérifie* vérifier teste tester "
        "documente* documenter corrige* corriger "
        "regarde* regarder cherche* chercher trouve* trouver ajoute* ajouter implémente* résume* résumer "
        "montre* montrer compare* "
        "comparer analyse* analyser étudie* pourquoi comment quel* qu'est-ce renomme* refactorise* "
        "prépare* planifie* comprend* "
        "détermine* lister liste examine* relis relire crée_un_test simule* améliore*"
    ),
    joins="et puis ensuite après ou mais",
    code=(
        "imports? l'import variables? fonctions? méthodes? classes? composants? boutons? commentaires? "
        "code tests? lignes paramètres? "
        "arguments? formulaire* documentation d'import espaces champs? icônes? notifications? localement pile"
    ),
    rows=(
        Said(
            Act.PUSH,
            "pousse poussez pousser poussons (?:fais|faire|faites)_(?:le_|un_)?push pusher pushe pushez",
            but="pile bouton",
        ),
        Said(
            Act.MERGE,
            "fusionne* fusionner merger mergez (?:fais|faire|faites)_(?:le_|un_)?merge intègre* intégrer",
            rf"{_REQUEST} main master branche production",
        ),
        Said(
            Act.DEPLOY,
            "déploie déployez déployer déployons redéploie* redéployer "
            "(?:fais|faire|faites)_(?:le_|un_)?déploiement met*…en_(?:production|prod|ligne|service) "
            "mise_en_(?:production|prod) pass*…en_(?:production|prod) livre_(?:la|le) livrer livrez lance_la_version",
        ),
        Said(
            Act.DEPLOY,
            "reviens revenir restaure* annule* rétabli* rollback",
            "production déploiement release base version_précédente",
        ),
        Said(
            Act.PUBLISH,
            "publie publiez publier publions téléverse* téléverser dépose_le uploade* uploader mets_en_ligne",
        ),
        Said(
            Act.DELETE,
            "supprime supprimez supprimer supprimons efface* effacer vide videz vider détruis détruire "
            "détruisez purge* purger élimine* éliminer "
            "enlève* enlever retire* retirer jette* écrase* écraser désinstalle* désinstaller nettoie*",
            r"\S*tables? \S*bases? base_de_données bucket* seau volumes? clusters? \S*comptes? "
            r"\S*utilisateurs? clients? données lignes "
            r"enregistrements? sauvegardes? backups? production \S*branches? tags? dépôts? serveurs? "
            r"\S*instances? dossiers? répertoires? "
            r"fichiers tout toutes? tous index commandes journaux logs? snapshots? environnements? schémas? "
            r"disque* partition* file "
            r"secrets? clés? images? paquets? messages? mails? projets? conteneurs? historique corbeille "
            r"contenu cache staging",
        ),
        Said(
            Act.MIGRATE,
            "lance lancez lancer exécute* exécuter applique* appliquer effectue* effectuer fais_tourner "
            "démarre* joue jouer",
            "migrations? la_migration",
            but="fichiers?_de_migration",
        ),
        Said(Act.MIGRATE, "migre migrez migrer", r"\S*bases? données schéma production serveurs? tables?"),
        Said(
            Act.RUN,
            "lance lancez lancer exécute* exécuter démarre* démarrer déclenche* déclencher",
            "déploiement deploy\\S* release\\S* publication mise_en_production paiements? rollout",
        ),
        Said(
            Act.PAY,
            "paie paye payez payer règle réglez régler rembourse* rembourser facture* facturer achète* "
            "acheter commande* commander vire virer "
            "transfère* transférer débite* débiter résilie* résilier verse verser",
            r"\S*factures? \S*clients? argent carte euros? eur € montant fournisseurs? \S*abonnements? "
            r"licences? commandes? salaires? frais "
            r"compte dollars? contrat hébergement",
        ),
        Said(
            Act.SEND,
            "envoie envoyez envoyer envoyons renvoie* poste postez poster réponds répondre répondez notifie* "
            "notifier préviens prévenir invite* "
            "inviter annonce annoncez annoncer transmets transmettre commente* informe*",
            r"\S*mails? \S*e-?mails? courriels? newsletter messages? clients? utilisateurs \S*annonces? "
            r"\S*invitations? slack canal équipe "
            r"abonnés rapports? devis factures? membres tous formulaire lettre presse",
        ),
        Said(
            Act.STOP,
            "redémarre* redémarrer arrête* arrêter éteins éteindre coupe* couper suspends suspendre relance* "
            "désactive* scale",
            r"serveurs? services? production \S*instances? clusters? base machines? pods? site",
        ),
        Said(
            Act.ACCESS,
            "révoque* révoquer renouvelle* renouveler donne* donner accorde* accorder réinitialise* "
            "réinitialiser invalide* invalider "
            "change* changer modifie* tourne",
            r"clés? \S*api tokens? jetons? \S*accès mots?_de_passe certificats? droits permissions? secrets? "
            r"identifiants? dns admin*",
        ),
        Said(
            Act.DISCARD,
            "annule* annuler abandonne* abandonner jette* jeter réinitialise* réinitialiser réécris réécrire "
            "écrase* rebase* défais",
            r"modifications changements commits? historique \S*branche base_de_données base production",
        ),
        Said(
            Act.FORGE,
            "ouvre* ouvrir crée* créer ferme* fermer approuve* approuver clos clore",
            rf"{_REQUEST} tickets? issues? release*",
        ),
        Said(Act.EXPOSE, "rends…public* rendre…public* mets…public*"),
    ),
)
