import { rmSync } from 'node:fs';

// What a renamed file was compiled to would stay behind and be published.
rmSync(new URL('../dist', import.meta.url), { recursive: true, force: true });
