import { setTimeout as pause } from 'node:timers/promises'
import { startDatabaseServer } from './src/stage/database.ts'
import { Ending } from './src/stage/ending.ts'
import { connectedFleet } from './src/rows/10-agents.ts'
const database = await startDatabaseServer()
const ending = new Ending()
const bench: any = { database, long: false, ending, say: (l: string) => console.error(l) }
const mode = process.argv[2] ?? 'beats'
const { ours, side } = await connectedFleet(bench, Number(process.argv[3] ?? 1000))
console.error('connect us each', ours.connectMicros / 1000)
if (mode === 'beats') { ours.agents.beats(); await pause(15000); ours.agents.still(); await pause(300) }
console.error('pid', side.appPid)
await ending.run(); await database.stop()
