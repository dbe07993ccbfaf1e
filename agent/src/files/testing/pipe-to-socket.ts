import net from 'node:net'

/** Connects standard input and output to a Unix socket. Argument: its path. */
const socket = net.connect(process.argv[2] ?? '')
process.stdin.pipe(socket).pipe(process.stdout)
