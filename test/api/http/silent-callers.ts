import net from 'node:net'

/**
 * A stranger who opens connections and sends nothing: `node silent-callers.ts <port> <count>`.
 * Reopens each that ends. Prints `ready` when all are open, and runs until killed.
 */
const [port = 0, count = 0] = process.argv.slice(2).map(Number)
const ADDRESSES = 20
const AT_ONCE = 200

let opened = 0
let waiting = 0

function open(number: number): void {
  waiting += 1
  let settled = false
  const settle = () => {
    if (settled) return
    settled = true
    waiting -= 1
    if (++opened === count) process.stdout.write('ready\n')
  }
  const localAddress = `127.0.7.${1 + (number % ADDRESSES)}`
  const socket = net.connect({ port, host: '127.0.0.1', localAddress })
  socket.on('error', () => undefined)
  socket.once('connect', settle).once('close', () => {
    settle()
    setTimeout(open, 100, number)
  })
}

let next = 0
const timer = setInterval(() => {
  while (next < count && waiting < AT_ONCE) open(next++)
  if (next >= count) clearInterval(timer)
}, 5)
