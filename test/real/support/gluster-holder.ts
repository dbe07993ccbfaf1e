// A server of GlusterFS with one volume: `gluster-holder.ts <folder> <address>`, in a network and with
// mounts of its own. When its standard input is closed, it ends with all that runs in its network.
import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { holdNamespaces, must } from '@lodge/driver/suite/held-namespace.ts'

const [folder = '', address = ''] = process.argv.slice(2)
const LISTENS_WITHIN_MS = 30_000

must('mount', '-t', 'tmpfs', 'run', '/run')
for (const [name, at] of [
  ['state', '/var/lib/glusterd'],
  ['log', '/var/log/glusterfs'],
] as const) {
  mkdirSync(`${folder}/${name}`, { recursive: true })
  must('mount', '--bind', `${folder}/${name}`, at)
}
mkdirSync('/run/gluster')
mkdirSync(`${folder}/brick`)
must('glusterd', '-p', '/run/glusterd.pid')
const isListening = () => spawnSync('gluster', ['--mode=script', 'pool', 'list']).status === 0
for (const began = Date.now(); !isListening(); )
  if (Date.now() - began > LISTENS_WITHIN_MS) throw new Error('glusterd does not listen')
// The volume is on the disk of this machine, which GlusterFS requires to be forced.
must('gluster', '--mode=script', 'volume', 'create', 'fast', `${address}:${folder}/brick`, 'force')
must('gluster', '--mode=script', 'volume', 'start', 'fast')
holdNamespaces()
