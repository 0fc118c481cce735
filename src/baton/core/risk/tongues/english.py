"""English. Many of its verbs are nouns too, so they count only where a step begins."""

from __future__ import annotations

from baton.core.risk.tongues.tongue import Act, Said, Tongue

_THINGS = (
    "tables? databases? dbs? schemas? buckets? volumes? clusters? accounts? users? customers? "
    "orders? records? rows? backups? "
    "production prod data datasets? branch branches tags? repo repos repository repositories "
    "servers? instances? namespaces? "
    "queues? indexes indices index directory directories folders? files everything all history "
    "snapshots? logs? environments? "
    "stacks? deployments? pods? vms? machines? disks? partitions? projects? apps? organisations? "
    "organizations? secrets? keys? "
    "tokens? images? releases? packages? issues? messages? mails? emails? channels? uploads? "
    "collections? documents? entries "
    "tenants? domains? containers? jobs? processes crontab cache caches sessions? database_entries "
    "credentials /\\S+ postgres "
    "mysql nginx docker staging website site wiki trash dump dumps bucket_contents contents tmp "
    "cdn_cache registry metrics "
    "subscribers? invoices? payments? transactions? nodes? networks? worktrees? workspaces? "
    "profiles? photos? pictures? videos?"
)
_REQUEST = r"prs? pull_requests? mrs? merge_requests? #\d+"
ENGLISH = Tongue(
    "en",
    leads=(
        "to then and or please will should must now can could would let's lets we i just also next "
        "finally we'll i'll again safely "
        "immediately directly first second third lastly afterwards manually simply quickly actually "
        "automatically gonna "
        "by begin_by step next_step todo remaining you ahead_and only_need_to permanently completely carefully force"
    ),
    refuses=(
        r"do_not don't dont never not cannot can't won't shouldn't mustn't without before_(?:you|we|i) "
        r"until unless instead_of "
        r"rather_than avoid refrain no_need wait hold_off ask_(?:me|us|first|before|whether|if) nobody "
        r"how_to why whether refuse "
        r"forbidden stop_short no(?=\s+(?:\w+\s+)?$)"
    ),
    talks=(
        "explain describe document read review write add implement fix refactor investigate look check "
        "find figure compare "
        "summari[sz]e show tell list test understand study analy[sz]e rename draft plan think consider "
        "verify make_sure ensure "
        "make…pass debug reproduce estimate outline propose suggest discuss learn research inspect "
        "examine see what why how "
        "where when which who does is are was mock simulate rehearse prepare create_a_test extend "
        "improve design sketch note "
        "search grep type-check lint format benchmark profile cover build type wonder decide clarify "
        "confirm_that trace"
    ),
    joins="and then or but so afterwards before_that after_that",
    stops=(
        "before after when while so because for in from with to that which if by of as at on onto into "
        "under until unless using via "
        "older newer created against where who about throwing"
    ),
    code=(
        "imports? variables? functions? methods? class classes components? buttons? helpers? handlers? "
        "endpoints? parameters? "
        "arguments? comments? code widgets? test_cases? tests test(?=\\s*$) fixtures? mocks? stubs? whitespace "
        "decorators? props? css styles? "
        "icons? page dialogs? modals? forms? menus? selectors? warnings? todos? snippets? type_hints? "
        "docstrings? constants? "
        "statements? assertions? lines? loops? prints? interfaces? enums? getters? setters? imports? "
        "semicolons? brackets? modules? "
        "tooltips? placeholders? labels? headings? sections? paragraphs? sentences? words? typos? "
        "templates? view views screen "
        "file_handles? props? hooks? dependency dependencies migrations_file migration_file spec specs "
        "counter state_machine "
        "docs documentation readme changelog notifications? locally dry_run dry-run example examples"
    ),
    rows=(
        Said(
            Act.PUSH,
            "push pushing force_push force-push re-?push repush",
            but="stack array queue list heap notifications? button onto element item value values forward back "
            "further limits? "
            "boundaries events? state",
        ),
        Said(
            Act.MERGE,
            "merge merging squash-?merge land",
            rf"{_REQUEST} main master trunk develop production prod releases? branch branches upstream it "
            "them this everything",
            but="functions? helpers? dictionaries dicts? lists? arrays? objects? sort cells? styles? columns?",
        ),
        Said(
            Act.DEPLOY,
            "deploy deploying redeploy re-deploy roll_out ship go_live release promote get…into_production "
            "get…live put…live put…into_production "
            "bring…live push…live "
            "roll_it_out take…live hot-?fix_production",
            but="locks? mutex semaphore resources? memory buffers? handles? connections? lease leases notes "
            "thread promises?",
        ),
        Said(
            Act.DEPLOY,
            "roll_back rollback revert restore downgrade upgrade",
            "production prod deployments? releases? cluster live_system servers? databases? staging",
        ),
        Said(Act.PUBLISH, "publish publishing unpublish republish", but="events? topics?"),
        Said(
            Act.PUBLISH,
            "upload submit release cut tag",
            "stores? app_store play_store npm pypi registry servers? s3 buckets? releases? builds? packages? "
            "artifacts? artefacts? "
            "production website testflight hub docker_hub dockerhub marketplace v\\d[\\w.]* versions? image "
            "images binaries app "
            "wheel wheels crate",
        ),
        Said(
            Act.DELETE,
            "delete deleting remove drop wipe erase destroy purge truncate clear clear_out clean_out empty nuke "
            "tear_down uninstall terminate "
            "kill decommission get_rid_of throw_away throw_out scrap overwrite flush prune trash unregister "
            "deprovision reformat",
            _THINGS,
        ),
        Said(
            Act.MIGRATE,
            "run apply execute perform rerun re-run start do make launch finish finali[sz]e",
            "migrations? schema_changes? schema_migrations? db_migrations? database_migrations? "
            "database_upgrade alembic",
            but="migration_files? generator",
        ),
        Said(
            Act.MIGRATE,
            "migrate alter backfill reseed reindex seed",
            "databases? db prod production schemas? data users customers servers? tenants? tables? accounts? clusters?",
        ),
        Said(
            Act.RUN,
            "run execute start trigger kick_off launch invoke re-?run dispatch schedule fire",
            "deploy\\w* releas\\w+ rollouts? publish\\w* production payouts? payments? billing payroll "
            "destroy cleanup prod go-live "
            "terraform_apply rm cutover",
        ),
        Said(
            Act.PAY,
            "pay charge refund reimburse transfer wire buy purchase order bill invoice subscribe top_up "
            "withdraw donate book renew "
            "cancel sell trade settle",
            "invoices? bills? cards? customers? clients? money payments? suppliers? vendors? providers? "
            "amounts? subscriptions? "
            "salary salaries licen[cs]es? plans? fees? orders? contracts? memberships? bookings? "
            "[$€£¥]\\s?\\d[\\d.,]* "
            "\\d[\\d.,]*_?(?:usd|eur|gbp|euros?|dollars?|pounds?|francs?|btc|eth) usd eur euros? dollars? "
            "credits? seats? hosting "
            "domain shares? stocks? tickets? hotel flight deposit balance funds",
        ),
        Said(
            Act.SEND,
            "let…know send resend post reply respond notify message forward share submit e-?mail mail text call dm "
            "ping write_to comment",
            "mails? e-?mails? newsletters? messages? announcements? invitations? invites? customers? "
            "clients? users team board "
            "everyone everybody subscribers? members? slack discord twitter channels? linkedin reddit "
            "reports? offers? quotes? "
            "contracts? invoices? reminders? form forms application applications mailing_list maintainers? "
            "reviewers? author "
            "tickets? letters? faxes? sms thread support pr issue boss manager hn hacker_news press",
            but="requests? packets? queue fake mock socket stub",
        ),
        Said(Act.SEND, "tweet invite announce email_everyone e-?mail_everyone broadcast"),
        Said(
            Act.STOP,
            "take…down restart reboot stop shut_down shutdown scale suspend pause resize fail_over failover "
            "take_down "
            "turn_off switch_off drain "
            "kill disable shut_off bounce power_off spin_down bring_down upgrade",
            "production prod servers? services? instances? clusters? databases? db pods? machines? vms? "
            "nodes? site website "
            "deployments? workers? hosts? live_system system gateway load_balancer cron_jobs? firewall",
            but="dev local language test",
        ),
        Said(
            Act.ACCESS,
            "revoke rotate regenerate reset grant give invalidate expire add remove change reissue",
            "api_keys? keys? tokens? credentials? passwords? secrets? certificates? permissions? access "
            "admin admins rights roles? "
            "collaborators? ssh_keys?",
            but="field",
        ),
        Said(
            Act.ACCESS,
            "update change switch point edit modify",
            "dns\\w* nameservers? payment_methods? billing firewall iam_polic\\w+",
        ),
        Said(
            Act.DISCARD,
            "discard throw_away throw_out reset rewrite rebase amend squash overwrite force-?reset "
            "hard-?reset wipe_out undo "
            "filter",
            "changes commits? history branch branches hard origin\\S* head work_tree worktree work "
            "databases? db production prod "
            "main master stash",
            but="undo_history",
        ),
        Said(
            Act.FORGE,
            "open create file close reopen approve raise comment_on merge_and_close reject assign submit "
            "request_review resolve",
            rf"{_REQUEST} issues?(?=[\s#\d]*(?:\d|$|as|with|on)) tickets? github_release releases? gist incident",
            but="draft_locally",
        ),
        Said(
            Act.EXPOSE,
            "make set turn open flip switch",
            "(?:repo|repository|bucket|package|project|gist|document|image|dataset)…public public_repository "
            "(?:port|ports)…(?:world|internet|public|everyone)",
        ),
    ),
)
