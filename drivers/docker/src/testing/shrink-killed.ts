// Changes the size of a server's disk, as an agent does that is killed meanwhile.

const [root = '', serverId = '', diskMb = ''] = process.argv.slice(2)
const { serverData } = await import('../data/server-data.ts')
const { settingsOf } = await import('../engine/options.ts')
const data = serverData(settingsOf({ socketPath: '/nonexistent', dataRoot: root }))
await data.prepare(serverId, 200_001, Number(diskMb), false)
