import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A throwaway PostgreSQL of a test's own, or one that a developer named. */
export interface Cluster {
  readonly url: string;
  /** Undefined where it is a developer's, and not to be killed. */
  readonly own: OwnCluster | undefined;
  stop(): void;
}

export interface OwnCluster {
  /** The main process, for signals. */
  pid(): number;
  start(): void;
}

/** Why there is no PostgreSQL to test against; undefined where there is one. */
export const noPostgres: string | undefined =
  process.env.FORTHRIGHT_POSTGRES_URL !== undefined || binaries() !== undefined
    ? undefined
    : 'no PostgreSQL: install Debian’s postgresql, or name one in FORTHRIGHT_POSTGRES_URL';

/** Starts a cluster that syncs to disk, reached by a socket in its own folder. */
export function startCluster(): Cluster {
  const url = process.env.FORTHRIGHT_POSTGRES_URL;
  if (url !== undefined) return { url, own: undefined, stop: () => undefined };
  const bin = binaries();
  if (bin === undefined) throw new Error(noPostgres);
  const folder = mkdtempSync(join(tmpdir(), 'forthright-pg-'));
  const user = asWhom();
  if (user !== undefined) chownSync(folder, user.uid, user.gid);
  chmodSync(folder, 0o700);
  const data = join(folder, 'data');
  // Root may not run it; as another user, files and locale must not depend on who started the test.
  const run = (program: string, ...args: string[]): void => {
    execFileSync(join(bin, program), args, {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { PATH: process.env.PATH, LC_ALL: 'C' },
      ...user,
    });
  };
  run('initdb', '-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-instructions');
  const settings = `-c listen_addresses= -c unix_socket_directories=${folder} -c max_connections=100`;
  const start = (): void =>
    run('pg_ctl', 'start', '-w', '-D', data, '-l', join(folder, 'log'), '-o', settings);
  start();
  return {
    url: `postgres://postgres@localhost/postgres?host=${encodeURIComponent(folder)}`,
    own: {
      pid: () => Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]),
      start,
    },
    stop() {
      run('pg_ctl', 'stop', '-D', data, '-m', 'immediate', '-w');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function binaries(): string | undefined {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian) : [];
  const newest = versions.toSorted((a, b) => Number(b) - Number(a))[0];
  const candidates = [
    ...(newest === undefined ? [] : [join(debian, newest, 'bin')]),
    spawnSync('pg_config', ['--bindir'], { encoding: 'utf8' }).stdout?.trim() ?? '',
  ];
  return candidates.find((its) => its !== '' && existsSync(join(its, 'initdb')));
}

/** Another user than root: Debian's own for PostgreSQL, else nobody. */
function asWhom(): { readonly uid: number; readonly gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  for (const name of ['postgres', 'nobody']) {
    const ids = ['-u', '-g'].map((flag) => spawnSync('id', [flag, name], { encoding: 'utf8' }));
    const [uid, gid] = ids.map(({ status, stdout }) => (status === 0 ? Number(stdout) : undefined));
    if (uid !== undefined && gid !== undefined) return { uid, gid };
  }
  throw new Error('PostgreSQL does not run as root, and there is no other user.');
}
