// The run to be killed: opens the network, starts a program on it, and waits.
import { spawn } from 'node:child_process'
import { folderOf, openStreet, placeAt } from './street.ts'

await openStreet()
await folderOf('killed')
const { inside } = await placeAt('killed', '10.97.0.99')
const [file, ...args] = inside
const child = spawn(file, [...args, 'sleep', 'infinity'], { stdio: 'ignore' })
process.stdout.write(`${child.pid}\n`)
setInterval(() => {}, 60_000)
