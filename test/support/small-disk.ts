import { spawnSync } from 'node:child_process';
import { closeSync, fsyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A disk of a few megabytes that a test can fill. */
export interface SmallDisk {
  readonly folder: string;
  /** Leaves no room for anything. */
  fill(): void;
  makeRoom(): void;
  remove(): void;
}

/** Mounts one in a folder of its own. */
export function smallDisk(megabytes: number): SmallDisk {
  const folder = mkdtempSync(join(tmpdir(), 'forthright-disk-'));
  const options = `size=${megabytes}m,mode=0777`;
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder]);
  if (mounted.status !== 0) {
    rmSync(folder, { recursive: true });
    throw new Error(`mount: ${mounted.error?.message ?? String(mounted.stderr)}`);
  }
  const ballast = join(folder, 'ballast');
  return {
    folder,
    fill() {
      const file = openSync(ballast, 'a');
      for (const size of [65_536, 4_096, 1]) writeUntilFull(file, Buffer.alloc(size, 1));
      closeSync(file);
    },
    makeRoom: () => rmSync(ballast, { force: true }),
    remove() {
      spawnSync('umount', ['-l', folder]);
      rmSync(folder, { recursive: true });
    },
  };
}

function writeUntilFull(file: number, block: Buffer): void {
  try {
    for (;;) writeSync(file, block);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    fsyncSync(file);
  }
}

/** Why none can be had; undefined where one can. */
export function whyNoSmallDisk(): string | undefined {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) {
    return 'no disk to fill: it takes root on Linux';
  }
  try {
    smallDisk(1).remove();
    return undefined;
  } catch (error) {
    return `no disk to fill: ${(error as Error).message}`;
  }
}
