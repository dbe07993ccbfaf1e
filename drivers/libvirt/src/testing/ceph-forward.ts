// Leads a node's network to a cluster of the tests: `ceph-forward.ts <folder> <port>...` listens on each
// port of 127.0.0.1 and passes every connection on to the socket of that name in the folder.
import { createServer } from 'node:net'
import { join } from 'node:path'
import { passOn } from './pass-on.ts'

const [folder = '', ...ports] = process.argv.slice(2)
for (const port of ports)
  createServer((connection) => passOn(connection, { path: join(folder, port) })).listen(
    Number(port),
    '127.0.0.1',
    () => process.stdout.write('.'),
  )
