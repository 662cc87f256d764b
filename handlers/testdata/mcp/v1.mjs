import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { address, headers, play } from './scenario.mjs';

const client = new Client({ name: 'test', version: '1' });
await client.connect(new StreamableHTTPClientTransport(new URL(address), { requestInit: { headers } }));
await play(client);
