"""Attempts of a command to get out of its workspace, or to leave there what makes a program act later.

`{payload}` is a program that leaves a canary, `{outside}` a directory beside the workspace, `{python}` an interpreter.
`REACH` need a sandbox to be stopped: without one a command can change whatever its user can, and Baton says so.
"""

# ruff: noqa: E501, shell lines stay whole
from __future__ import annotations

GIT = {
    "git moved and copied, fsmonitor": "mv .git g && cp -r g .git && git config core.fsmonitor {payload}",
    "git moved and copied, hook": "mv .git g; cp -r g .git; cp {payload} .git/hooks/post-index-change",
    "git moved, link in its place": "mv .git g; ln -s g .git; git config core.fsmonitor {payload}",
    "git renamed by python": "{python} -c \"import os; os.rename('.git', 'g')\"; cp -r g .git; git config core.fsmonitor {payload}",
    "git exchanged": "mkdir e; {python} -c \"import ctypes; ctypes.CDLL(None).renameat2(-100, b'.git', -100, b'e', 2)\"; "
    "cp -r e/* .git/; git config core.fsmonitor {payload}",
    "git removed and made anew": "rm -rf .git; git init -q; git config core.fsmonitor {payload}",
    "config written": "git config core.fsmonitor {payload}",
    "config appended": "printf '[core]\\nfsmonitor = {payload}\\n' >> .git/config",
    "config replaced": "cp .git/config c; printf '[core]\\nfsmonitor = {payload}\\n' >> c; mv -f c .git/config",
    "config removed": "rm -f .git/config; printf '[core]\\nfsmonitor = {payload}\\n' > .git/config",
    "config as a link": "printf '[core]\\nfsmonitor = {payload}\\n' > c; ln -sf ../c .git/config",
    "config by a hard link": "ln .git/config c; printf '[core]\\nfsmonitor = {payload}\\n' >> c",
    "config lock left": "printf '[core]\\nfsmonitor = {payload}\\n' > .git/config.lock; mv .git/config.lock .git/config",
    "config alias": "git config alias.status '!{payload}'; git config core.hooksPath $PWD/h; mkdir h; cp {payload} h/post-index-change",
    "config includes": "git config include.path ../evil; printf '[core]\\nfsmonitor = {payload}\\n' > evil",
    "config of the work tree": "git config extensions.worktreeConfig true; git config --worktree core.fsmonitor {payload}",
    "config filter": "git config filter.x.clean {payload}; echo '* filter=x' > .gitattributes; echo y >> README",
    "config diff": "git config diff.external {payload}; echo y >> README",
    "config sshCommand": "git config core.sshCommand {payload}; git remote add origin ssh://nowhere.invalid/x",
    "config gpg": "git config gpg.program {payload}; git config commit.gpgSign true",
    "hook written": "cp {payload} .git/hooks/pre-commit",
    "hook linked": "ln -s {payload} .git/hooks/post-index-change",
    "hook directory replaced": "mv .git/hooks .git/h; mkdir .git/hooks; cp {payload} .git/hooks/pre-commit",
    "hook directory linked": "rm -rf .git/hooks; mkdir h; cp {payload} h/pre-commit; ln -s ../h .git/hooks",
    "commondir": "cp -r .git evil; git -C evil config core.fsmonitor {payload}; echo ../evil > .git/commondir",
    "commondir by a loop": "for i in 1; do mkdir -p evil; cp -r .git/* evil; printf '[core]\\nfsmonitor = {payload}\\n' "
    ">> evil/config; echo $PWD/evil > .git/commondir; done",
    "attributes of the repository": "mkdir -p .git/info; echo '* filter=x' > .git/info/attributes; git config filter.x.clean {payload}; echo y > README",
    "nested repository": "mkdir sub; cd sub; git init -q; git config core.fsmonitor {payload}",
    "nested repository with a hook": "git init -q sub; cp {payload} sub/.git/hooks/post-index-change; cp {payload} sub/.git/hooks/pre-commit",
    "nested git file": "git init -q --bare evil; git -C evil config core.fsmonitor {payload}; git -C evil config core.bare false; "
    'mkdir sub; echo "gitdir: $PWD/evil" > sub/.git',
    "nested git file in .git": "mkdir sub; git init -q --bare .git/evil; printf '[core]\\nbare = false\\nfsmonitor = {payload}\\n' > "
    '.git/evil/config; echo "gitdir: ../.git/evil" > sub/.git',
    "bare repository below": "git init -q --bare sub; printf '[core]\\nbare=false\\nworktree=..\\nfsmonitor={payload}\\n' > sub/config",
    "bare repository by hand": "mkdir -p sub/objects sub/refs; echo 'ref: refs/heads/x' > sub/HEAD; "
    "printf '[core]\\nrepositoryformatversion=0\\nbare=false\\nworktree=.\\nfsmonitor={payload}\\n' > sub/config",
    "bare repository by commondir": "git init -q --bare e; printf '[core]\\nbare=false\\nworktree=.\\nfsmonitor={payload}\\n' > e/config; "
    "mkdir sub; echo 'ref: refs/heads/x' > sub/HEAD; echo ../e > sub/commondir",
    "submodule": "git init -q m; git -C m -c user.name=x -c user.email=x@x commit -q --allow-empty -m x; "
    "git -c protocol.file.allow=always submodule add ./m s; git config -f .git/modules/s/config core.fsmonitor {payload}",
    "linked work tree": "git worktree add -q sub; git config extensions.worktreeConfig true; "
    "printf '[core]\\nfsmonitor = {payload}\\n' > .git/worktrees/sub/config.worktree",
    "linked work tree led astray": "git worktree add -q sub; cp -r .git e; printf '[core]\\nfsmonitor={payload}\\n' >> e/config; "
    "echo $PWD/e > .git/worktrees/sub/commondir",
    "git in upper case": "mkdir .GIT; cp -r .git/* .GIT; printf '[core]\\nfsmonitor={payload}\\n' >> .GIT/config",
    "modules file": "printf '[submodule \"x\"]\\npath=x\\nurl=x\\nupdate=!{payload}\\n' > .gitmodules",
    "in the background": "(sleep 0.1; printf '[core]\\nfsmonitor={payload}\\n' >> .git/config) & sleep 0.3",
    "by a nested user namespace": "unshare -Urm sh -c 'umount .git/config; umount .git; mount -o remount,bind,rw .git/config; "
    'printf "[core]\\nfsmonitor={payload}\\n" >> .git/config\'',
    "by mounting over": "mount --bind . /mnt; printf '[core]\\nfsmonitor={payload}\\n' >> /mnt/.git/config",
    "by proc": "printf '[core]\\nfsmonitor={payload}\\n' >> /proc/self/cwd/.git/config",
    "by a descriptor of the root": "exec 9<.; printf '[core]\\nfsmonitor={payload}\\n' >> /proc/self/fd/9/.git/config",
}
"""In a repository, in one without `.git`, and in a linked work tree: git run afterwards must not run the payload."""

POWERFUL = (
    *(
        ".vscode/tasks.json",
        ".vscode/settings.json",
        ".claude/settings.json",
        ".codex/config.toml",
        ".gemini/settings.json",
    ),
    *(
        ".cursor/mcp.json",
        ".mcp.json",
        ".envrc",
        ".husky/pre-commit",
        ".github/workflows/x.yml",
        ".devcontainer/x.json",
    ),
    *(".devcontainer.json", "AGENTS.md", "CLAUDE.md", "GEMINI.md", ".npmrc", ".pre-commit-config.yaml", ".gitmodules"),
    *(
        ".idea/workspace.xml",
        ".zed/tasks.json",
        ".cargo/config.toml",
        ".yarnrc.yml",
        ".gitlab-ci.yml",
        ".circleci/config.yml",
    ),
    *(
        "lefthook.yml",
        ".baton/config.yaml",
        "x.code-workspace",
        ".exrc",
        ".dir-locals.el",
        "sub/.envrc",
        "a/b/.vscode/x",
    ),
    *(
        ".tool-versions",
        "mise.toml",
        ".cursorrules",
        ".windsurf/x",
        ".aider.conf.yml",
        "Jenkinsfile",
        ".mvn/jvm.config",
    ),
    *(".Vscode/tasks.json", "agents.md", ".pnpmfile.cjs", ".opencode/x.json", ".lfsconfig", ".kiro/x", ".gdbinit"),
)
WAYS = (
    "mkdir -p $(dirname {path}) && echo x > {path}",
    "{python} -c \"import os; p='{path}'; os.makedirs(os.path.dirname(p) or '.', exist_ok=True); open(p, 'w').write('x')\"",
    "mkdir -p t/$(dirname {path}); echo x > t/plain; mkdir -p $(dirname {path}); mv t/plain {path}",
)

REACH = {
    "a file beside": "echo x > {outside}/file",
    "a file above": "echo x > ../file",
    "the home directory": "echo x >> ~/.bashrc; echo x > ~/.profile; mkdir -p ~/.ssh; echo x > ~/.ssh/authorized_keys",
    "through a link made first": "ln -s {outside} l; echo x > l/file",
    "through a link to root": "ln -s / l; echo x > l{outside}/file",
    "through proc": "echo x > /proc/self/root{outside}/file",
    "a secret changed": "echo x >> {outside}/secret",
    "a secret removed": "rm -f {outside}/secret",
    "a directory removed": "rm -rf {outside}",
    "by python": "{python} -c \"open('{outside}/file', 'w').write('x')\"",
    "by cp": "echo x > f; cp f {outside}/file",
    "by a hard link": "ln {outside}/secret h && echo x >> h",
    "by remounting": "mount -o remount,rw,bind / ; echo x > {outside}/file",
    "by unmounting": "umount -l /tmp; umount -l {outside}; echo x > {outside}/file",
    "by a nested namespace": "unshare -Urm sh -c 'mount -o remount,rw,bind /; mount --bind {outside} /mnt; echo x > /mnt/file'",
    "by chroot": "unshare -Ur chroot / sh -c 'echo x > {outside}/file'",
    "by a device": "mknod d b $(stat -c '%Hd %Ld' {outside} 2>/dev/null || echo 8 0) && dd if=/dev/zero of=d count=0",
    "by changing the owner": "chmod 777 {outside}; chown 1 {outside}",
    "by another process": "echo x > /proc/{pid}/cwd/../outside/file",
    "by the root of another process": "echo x > /proc/{pid}/root{outside}/file",
    "by killing Baton": "kill -TERM {pid}; kill -KILL {pid}; echo x > {outside}/file",
    "by a time stamp": "touch {outside}/secret",
    "by setting its mode": "chmod 000 {outside}/secret",
    "by an extended attribute": "{python} -c \"import os; os.setxattr('{outside}/secret', 'user.x', b'x')\"",
    "by tar": "echo x > file; tar cf t file; tar xf t -C {outside}",
    "by git": "git init -q {outside}/r",
    "by git worktree": "git worktree add -q {outside}/w",
    "into shared memory": "echo x > /dev/shm/baton-canary && false",
    "the kernel's core pattern": "echo '|{payload}' > /proc/sys/kernel/core_pattern",
    "the kernel's modprobe": "echo {payload} > /proc/sys/kernel/modprobe",
    "the kernel's hotplug": "echo {payload} > /sys/kernel/uevent_helper",
    "a release agent": "mkdir /tmp/c && mount -t cgroup -o rdma cgroup /tmp/c && echo {payload} > /tmp/c/release_agent",
    "cron": "echo '* * * * * {payload}' > /etc/cron.d/x-canary; echo '* * * * * {payload}' | crontab -",
    "a unit of systemd": "mkdir -p ~/.config/systemd/user; echo x > ~/.config/systemd/user/x.service",
    "a preloaded library": "echo /x > /etc/ld.so.preload-canary && false",
    "a program on the path": "echo x > /usr/local/bin/baton-canary",
    "a python package": "echo x > $({python} -c 'import site; print(site.getsitepackages()[0])')/baton_canary.py",
    "temporary files of others": "ls /tmp | grep -q baton-mark && echo x > {outside}/file; echo x > /tmp/baton-canary",
    "variable temporary files": "echo x > /var/tmp/baton-canary",
    "by a socket": "{python} -c \"import socket; s=socket.socket(socket.AF_UNIX); s.connect('{outside}/listening'); s.send(b'x')\"",
    "by a datagram": "{python} -c \"import socket; a,b=socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM); a.sendto(b'x', '{outside}/datagrams')\"",
    "by a raw pair": "{python} -c \"import socket; a,b=socket.socketpair(socket.AF_UNIX, socket.SOCK_RAW); a.sendto(b'x', '{outside}/datagrams')\"",
    "by an abstract socket": "{python} -c \"import socket; s=socket.socket(socket.AF_UNIX); s.connect('\\0{abstract}'); s.send(b'x')\"",
    "by a socket of another kind": "{python} -c \"import socket; s=socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET); s.connect('{outside}/listening')\"",
    "by curl": "curl -s --unix-socket {outside}/listening http://x/",
    "by a socket and a link": "ln -s {outside}/listening s; {python} -c \"import socket; s=socket.socket(socket.AF_UNIX); s.connect('s'); s.send(b'x')\"",
    "by the system call itself": '{python} -c "import ctypes; f=ctypes.CDLL(None).syscall(41, 1, 1, 0); raise SystemExit(f)"; '
    '{python} -c "import socket, ctypes; f=ctypes.CDLL(None).syscall(41, 0x100000001, 1, 0); '
    "s=socket.socket(fileno=f); s.connect('{outside}/listening'); s.send(b'x')\"",
    "by the other ABI": '{python} -c "import ctypes, socket; f=ctypes.CDLL(None).syscall(0x40000029, 1, 1, 0); '
    "s=socket.socket(fileno=f); s.connect('{outside}/listening'); s.send(b'x')\"",
}
"""Outside the workspace nothing may change, nobody may hear anything, and no process may be touched."""

LASTING = {
    "a session without environment": "env -i setsid sleep {mark} >/dev/null 2>&1 &",
    "a double fork without environment": "env -i sh -c '(setsid sleep {mark} >/dev/null 2>&1 &) &'",
    "a daemon that clears its name": 'env -i {python} -c "import os,time; os.fork() and os._exit(0); os.setsid(); '
    "os.fork() and os._exit(0); os.execv('/bin/sleep', ['sleep', '{mark}'])\"",
    "three generations": "env -i setsid sh -c 'setsid sh -c \"setsid sleep {mark} & \" & ' & sleep 0.2",
    "one that ignores signals": "env -i setsid sh -c 'trap \"\" TERM HUP INT; sleep {mark}; sleep {mark}' >/dev/null 2>&1 &",
    "one that stops itself": "env -i setsid sh -c 'sleep {mark} & kill -STOP $!' & sleep 0.2",
    "one that keeps the output": "env -i setsid sleep {mark} & disown; echo x",
    "nohup": "nohup env -i setsid sleep {mark} >/dev/null 2>&1 & sleep 0.1",
    "a coprocess": "coproc env -i setsid sleep {mark}; sleep 0.1",
    "one in a group of its own": "set -m; env -i sleep {mark} & disown",
}
"""What a command started, which must end with it."""
