import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { address, headers, play } from './scenario.mjs';

const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } });
await client.connect(new StreamableHTTPClientTransport(new URL(address), { requestInit: { headers } }));
await play(client);
