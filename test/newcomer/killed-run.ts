// A run that is killed: opens the street, has a place on it with a program there, and waits.
import { spawn } from 'node:child_process'
import { folderOf, openStreet, placeAt } from './street.ts'

await openStreet()
await folderOf('killed')
const { inside } = await placeAt('killed', '10.97.0.99')
const [file, ...args] = inside
const child = spawn(file, [...args, 'sleep', 'infinity'], { stdio: 'ignore' })
process.stdout.write(`${child.pid}\n`)
setInterval(() => {}, 60_000)
