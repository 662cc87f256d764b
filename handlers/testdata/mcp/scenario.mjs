// What a client of the official SDKs does at the operators' door. It prints
// what it was answered as one JSON object.
export const [, , address, token, key] = process.argv;
export const headers = { Authorization: `Bearer ${token}` };

export async function play(client) {
  const seen = {};
  const call = (name, args) => client.callTool({ name, arguments: args });
  seen.tools = (await client.listTools()).tools.map((t) => t.name);
  seen.read = await call('get_company', {});
  const turnOff = { name: 'web', enabled: false, summary: 'Off for the night', op_id: key };
  seen.first = await call('switch_mcp_server', turnOff);
  seen.again = await call('switch_mcp_server', turnOff);
  seen.other = await call('switch_mcp_server', { ...turnOff, enabled: true });
  seen.missing = await call('get_tool', { name: 'fly' });
  seen.strange = await call('get_tool', { nme: 'fly' });
  seen.elsewhere = await call('set_secret', { name: 'A', value: 'b' });
  seen.unknown = await call('fly', {}).then(() => ({}), (err) => ({ code: err.code }));
  seen.version = client.getServerVersion()?.name;
  await client.close();
  console.log(JSON.stringify(seen));
}
