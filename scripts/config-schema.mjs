import { writeFileSync } from 'node:fs';
import { configSchema } from '../dist/mcp-proxy/config-schema.js';

// The schema of the proxy's configuration file, for editors; run after the build.
const target = new URL('../dist/mcp-proxy/config.schema.json', import.meta.url);
writeFileSync(target, `${JSON.stringify(configSchema, null, 2)}\n`);
