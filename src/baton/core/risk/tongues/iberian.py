"""Spanish and Portuguese."""

from __future__ import annotations

from baton.core.risk.tongues.tongue import Act, Said, Tongue

_REQUEST = r"prs? pull[\s-]?requests? mrs? merge[\s-]?requests? #\d+"
SPANISH = Tongue(
    "es",
    refuses=r"nunca jamás sin antes_de espera nada no(?=\s+(?:\w+\s+)?$) todavía_no aún_no pregunta",
    talks=(
        "explica* lee leer lea escribe escribir escriba describe* comprueba* comprobar verifica* "
        "verificar prueba probar documenta* "
        "corrige* corregir mira mirar busca* buscar averigua* encuentra* añade* añadir agrega* agregar "
        "implementa* resume resumir "
        "resuma muestra* mostrar compara* analiza* estudia* revisa* revisar por_qué cómo qué cuál* "
        "renombra* refactoriza* prepara* "
        "planifica* lista entiende* arregla* crea_una_prueba investiga* simula* mejora*"
    ),
    joins="y e luego después entonces o pero",
    code=(
        "imports? importaci* variables? función funciones métodos? clases? componentes? botón botones "
        "comentarios? código pruebas? tests? "
        "líneas? parámetros? argumentos? formulario documentación espacios icono* notificaciones localmente pila"
    ),
    rows=(
        Said(
            Act.PUSH,
            "(?:haz|hacer|haga|hagamos|hacemos)_(?:el_|un_)?push empuja* empujar pushea* pushear",
            but="pila botón",
        ),
        Said(
            Act.PUSH,
            "sube subir suba subamos",
            r"rama ramas cambios commits? origin\S* remoto repositorio main código github gitlab",
        ),
        Said(
            Act.MERGE,
            "fusiona* fusionar mergea* mergear (?:haz|hacer|haga)_(?:el_|un_)?merge integra* integrar une unir",
            rf"{_REQUEST} main master rama producción",
        ),
        Said(
            Act.DEPLOY,
            "despliega* desplegar desplegamos redespliega* "
            "(?:haz|hacer|haga)_(?:el_|un_)?(?:despliegue|deploy|release) "
            "pon*…en_producción pas*…a_producción lanza*_la_versión lleva*…a_producción puesta_en_producción "
            "libera* deploya* deployar",
        ),
        Said(Act.DEPLOY, "revierte* revertir restaura* vuelve", "producción despliegue versión_anterior base_de_datos"),
        Said(Act.PUBLISH, "publica publicar publique publiquemos"),
        Said(
            Act.PUBLISH,
            "sube subir suba carga cargar",
            "paquete* npm pypi tienda servidor build artefacto* imagen* registro app app_store producción bucket",
        ),
        Said(
            Act.DELETE,
            "borra borrar borre borremos elimina eliminar elimine vacía vaciar vacíe destruye* destruir "
            "purga* purgar suprime* suprimir quita* "
            "quitar limpia* limpiar tira trunca* truncar desinstala* desinstalar sobrescribe* sobrescribir",
            r"tablas? bases? base_de_datos bucket* cubo volumen* volúmenes clústere?s? clusters? cuentas? "
            r"usuarios? clientes? datos filas? "
            r"registros? copias? respaldos? backups? producción ramas? etiquetas? repositorios? servidor* "
            r"instancias? carpetas? directorios? "
            r"archivos ficheros todo todos todas índices? pedidos logs? snapshots? entornos? esquemas? disco* "
            r"cola* secretos? claves? "
            r"imágenes paquetes? mensajes? correos? proyectos? contenedores? historial papelera contenido "
            r"caché staging",
        ),
        Said(
            Act.MIGRATE,
            "ejecuta ejecutar ejecute aplica aplicar aplique corre correr lanza lanzar realiza* inicia*",
            "migración migraciones",
            but="archivo_de_migración",
        ),
        Said(Act.MIGRATE, "migra migrar migre", "bases? base_de_datos datos esquema producción servidor* tablas?"),
        Said(
            Act.RUN,
            "ejecuta ejecutar ejecute lanza lanzar inicia* iniciar dispara* disparar corre",
            r"despliegue deploy\S* release\S* publicación pagos? producción rollout",
        ),
        Said(
            Act.PAY,
            "paga pagar pague abona* reembolsa* reembolsar devuelve* devolver cobra* cobrar compra* comprar "
            "pide pedir transfiere* transferir "
            "cancela* cancelar contrata* gira factura_al",
            r"facturas? clientes? dinero tarjeta euros? eur € importe proveedor* suscripción suscripciones "
            r"licencias? pedidos? salarios? "
            r"dólares cuota cuenta contrato pesos",
        ),
        Said(
            Act.SEND,
            "envía enviar envíe enviemos manda* mandar reenvía* publica publicar responde* responder "
            "notifica* notificar avisa* avisar invita* "
            "invitar anuncia* anunciar comenta* contesta*",
            r"correos? \S*mails? e-?mails? boletín newsletter mensajes? clientes? usuarios anuncios? "
            r"invitaci* slack canal equipo "
            r"suscriptores informes? oferta presupuesto facturas? miembros todos formulario carta prensa",
        ),
        Said(
            Act.STOP,
            "reinicia* reiniciar detén detener detenga apaga* apagar para parar escala* escalar suspende* "
            "desactiva* tumba",
            r"servidor* servicios? producción instancias? clústere?s? clusters? base_de_datos máquinas? pods? sitio",
        ),
        Said(
            Act.ACCESS,
            "revoca* revocar rota rotar renueva* renovar da dar concede* conceder otorga* restablece* "
            "restablecer invalida* cambia* cambiar "
            "actualiza* actualizar",
            r"claves?_de_\w+ claves?(?=_de_api|_api|\s*$) clave tokens? accesos? contraseñas? certificados? "
            r"permisos? credencial* secretos? dns admin*",
        ),
        Said(
            Act.DISCARD,
            "descarta* descartar deshaz deshacer restablece* restablecer resetea* resetear reescribe* "
            "reescribir sobrescribe* rebase* tira",
            "cambios commits? historial historia rama base_de_datos producción modificaciones",
        ),
        Said(
            Act.FORGE,
            "abre* abrir crea* crear cierra* cerrar aprueba* aprobar",
            rf"{_REQUEST} tickets? issues? incidencias? release* tarea",
        ),
        Said(Act.EXPOSE, "haz…públic* hacer…públic* pon*…públic*"),
    ),
)
PORTUGUESE = Tongue(
    "pt",
    refuses="não nunca jamais sem antes_de espere espera nada pergunte",
    talks=(
        "explique* explica* leia ler lê escreva escrever descreva* verifique* verificar verifica* teste "
        "testar documente* documentar corrija* "
        "corrigir olhe veja ver procure* descubra* descobrir encontre* adicione* adicionar implemente* "
        "resuma* resumir mostre* "
        "mostrar compare* analise* analisar estude* revise* revisar por_que como qual quais renomeie* "
        "refatore* prepare* planeje* "
        "liste* entenda* conserte* crie_um_teste investigue* simule* melhore*"
    ),
    joins="e depois então em_seguida ou mas",
    code=(
        "imports? importaç* variáve* função funções métodos? classes? componentes? botão botões "
        "comentários? código testes? linhas? "
        "parâmetros? argumentos? formulário documentação espaços ícone* notificações localmente pilha"
    ),
    rows=(
        Said(Act.PUSH, "(?:faça|fazer|faz|façamos|dê|dar)_(?:o_|um_)?push empurr* pushar", but="pilha botão"),
        Said(
            Act.PUSH,
            "suba subir sobe envie enviar",
            r"branch branches ramo commits? alterações origin\S* remoto repositório main código github",
        ),
        Said(
            Act.MERGE,
            "(?:faça|fazer|faz)_(?:o_|um_)?merge mescle* mesclar mergear funda unir una",
            rf"{_REQUEST} main master branch ramo produção",
        ),
        Said(
            Act.DEPLOY,
            "(?:faça|fazer|faz|façamos|rode|rodar)_(?:o_|um_)?(?:deploy|release|rollout|implantação) "
            "implant* deploye* deployar publique*_em_produção "
            "coloque*…em_produção colocar…em_produção suba…(?:em|para)_produção subir…produção "
            "lance_a_versão lançar libere*",
        ),
        Said(Act.DEPLOY, "reverta* reverter restaure* volte rollback desfaça", "produção deploy versão_anterior banco"),
        Said(Act.PUBLISH, "publique publicar publica publiquemos lance lançar"),
        Said(
            Act.PUBLISH,
            "suba subir envie enviar carregue* carregar",
            "pacote* npm pypi loja servidor build artefato* imagem registro app_store bucket",
        ),
        Said(
            Act.DELETE,
            "apague apagar apaga exclua excluir exclui elimine eliminar delete deletar remova remover "
            "esvazie esvaziar destrua destruir limpe "
            "limpar purgue drope dropar trunque desinstale* desinstalar sobrescrev* derrube* derrubar",
            r"tabelas? bancos? base_de_dados bases? bucket* balde volumes? clusters? contas? usuári* "
            r"utilizador* clientes? dados linhas "
            r"registros? registos? backups? cópias? produção branch branches ramos? tags? repositórios? "
            r"servidor* instâncias? pastas? "
            r"diretórios? arquivos ficheiros tudo todos todas índices? pedidos logs? snapshots? ambientes? "
            r"esquemas? disco* fila* segredos? "
            r"chaves? imagens pacotes? mensage* e-?mails? projetos? contêiner* histórico lixeira conteúdo "
            r"cache staging",
        ),
        Said(
            Act.MIGRATE,
            "rode rodar roda execute executar executa aplique aplicar aplica realize* inicie*",
            "migração migrações migrations?",
            but="arquivo_de_migração",
        ),
        Said(Act.MIGRATE, "migre migrar migra", "bancos? base_de_dados dados esquema produção servidor* tabelas?"),
        Said(
            Act.RUN,
            "rode rodar execute executar inicie* iniciar dispare* disparar acione*",
            r"deploy\S* implantação release\S* publicação pagamentos? produção rollout",
        ),
        Said(
            Act.PAY,
            "pague pagar paga reembols* cobre cobrar compre comprar peça transfira transferir estorne* "
            "estornar cancele* cancelar contrate* "
            "devolva* devolver",
            r"faturas? contas? clientes? dinheiro cartão euros? eur € reais r\$ valor fornecedor* "
            r"assinaturas? licenças? pedidos? salários? "
            r"dólares taxa contrato boleto",
        ),
        Said(
            Act.SEND,
            "envie enviar envia mande mandar reenvie* poste postar responda* responder notifique* notificar "
            "avise* avisar convide* convidar "
            "anuncie* anunciar comente* encaminhe*",
            r"e-?mails? correio newsletter mensage* clientes? usuários anúncios? convites? slack canal equipe "
            r"equipa assinantes relatórios? "
            r"proposta orçamento faturas? membros todos formulário carta imprensa",
        ),
        Said(
            Act.STOP,
            "reinicie* reiniciar pare parar desligue* desligar escale* escalar suspenda* desative* derrube*",
            r"servidor* serviços? produção instâncias? clusters? bancos? máquinas? pods? site",
        ),
        Said(
            Act.ACCESS,
            "revogue* revogar rotacione* rotacionar renove* renovar dê dar conceda* conceder redefin* "
            "invalide* troque* trocar altere* atualize*",
            r"chaves? tokens? acessos? senhas? certificados? permiss* credencia* segredos? dns admin*",
        ),
        Said(
            Act.DISCARD,
            "descart* desfaça desfazer resete* resetar redefin* reescrev* sobrescrev* rebase* jogue_fora",
            "alterações mudanças commits? histórico branch banco base_de_dados produção",
        ),
        Said(
            Act.FORGE,
            "abra abrir crie criar feche fechar aprove* aprovar",
            rf"{_REQUEST} tickets? issues? chamados? release* tarefa",
        ),
        Said(Act.EXPOSE, "torne…públic* tornar…públic* deixe…públic*"),
    ),
)
