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
  /** Starts a streaming replica of it, which can only be read. */
  standby(): Pick<Cluster, 'url' | 'stop'>;
  /** The user that it runs as, where that is another one than this process's. */
  readonly user: ServerUser | undefined;
}

interface ServerUser {
  readonly uid: number;
  readonly gid: number;
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
  const server = new Server(bin);
  server.run('initdb', '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-instructions');
  server.start();
  const own: OwnCluster = {
    pid: () => server.pid(),
    start: () => server.start(),
    user: server.user,
    standby() {
      const standby = new Server(bin);
      standby.run('pg_basebackup', '-R', '-X', 'stream', '-c', 'fast', '-d', server.url);
      standby.start();
      return standby;
    },
  };
  return { url: server.url, own, stop: () => server.stop() };
}

/** One server, with its data and its socket in a folder of its own. */
class Server {
  readonly user: ServerUser | undefined = asWhom();
  readonly #bin: string;
  readonly #folder = mkdtempSync(join(tmpdir(), 'forthright-pg-'));
  readonly #data = join(this.#folder, 'data');

  constructor(bin: string) {
    this.#bin = bin;
    if (this.user !== undefined) chownSync(this.#folder, this.user.uid, this.user.gid);
    chmodSync(this.#folder, 0o700);
  }

  get url(): string {
    return `postgres://postgres@localhost/postgres?host=${encodeURIComponent(this.#folder)}`;
  }

  /** Root may not run it; as another user, files and locale must not depend on who started the test. */
  run(program: string, ...args: string[]): void {
    execFileSync(join(this.#bin, program), ['-D', this.#data, ...args], {
      cwd: this.#folder,
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { PATH: process.env.PATH, LC_ALL: 'C' },
      ...this.user,
    });
  }

  start(): void {
    const settings = `-c listen_addresses= -c unix_socket_directories=${this.#folder} -c max_connections=100`;
    const log = join(this.#folder, 'log');
    this.run('pg_ctl', 'start', '-w', '-l', log, '-o', settings);
  }

  pid(): number {
    return Number(readFileSync(join(this.#data, 'postmaster.pid'), 'utf8').split('\n')[0]);
  }

  stop(): void {
    this.run('pg_ctl', 'stop', '-m', 'immediate', '-w');
    rmSync(this.#folder, { recursive: true, force: true });
  }
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
function asWhom(): ServerUser | undefined {
  if (process.getuid?.() !== 0) return undefined;
  for (const name of ['postgres', 'nobody']) {
    const ids = ['-u', '-g'].map((flag) => spawnSync('id', [flag, name], { encoding: 'utf8' }));
    const [uid, gid] = ids.map(({ status, stdout }) => (status === 0 ? Number(stdout) : undefined));
    if (uid !== undefined && gid !== undefined) return { uid, gid };
  }
  throw new Error('PostgreSQL does not run as root, and there is no other user.');
}
