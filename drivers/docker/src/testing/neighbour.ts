import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { runProgram } from '@lodge/driver/run-program.ts'

/** Networks next to the machine: a veth pair to a namespace with an address in each of them. */
export interface Neighbour {
  /** The machine's own addresses on that link. */
  readonly own: { readonly private: string; readonly public: string; readonly ipv6: string }
  /** The neighbour's address in each network. */
  readonly at: Readonly<Record<string, string>>
  close(): Promise<void>
}

const LINK = 'ldgtnear'
const OWN = { private: '10.99.7.1', public: '198.51.100.1', ipv6: 'fd99:7::1' }
const AT = {
  'class A': '10.99.7.2',
  'class B': '172.31.99.2',
  'class C': '192.168.199.2',
  'carrier grade NAT': '100.64.99.2',
  'link-local': '169.254.99.2',
  'cloud platform': '168.63.129.16',
  public: '198.51.100.2',
}
/** A web server, an SMTP port and a name server; their content does not matter. */
const SERVICES = [
  ['busybox', 'httpd', '-f', '-p', '8080', '-h', '/'],
  ['busybox', 'httpd', '-f', '-p', '25', '-h', '/'],
  [
    'dnsmasq',
    '--no-daemon',
    '--conf-file=/dev/null',
    '--no-resolv',
    '--address=/probe.test/192.0.2.9',
  ],
]

/** Creates the neighbour, which listens on ports 8080 and 25 and, as a name server, 53. */
export async function openNeighbour(): Promise<Neighbour> {
  // Prints once its namespace exists, and exits when its input is closed.
  const holder = spawn('unshare', ['--net', 'sh', '-c', 'echo there; exec cat'], {
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  await once(holder.stdout, 'data')
  const enter = ['--target', String(holder.pid), '--net', '--']
  const must = async (file: string, ...args: string[]) => {
    const { code, output } = await runProgram(file, args)
    if (code !== 0) throw new Error(`${file} ${args.join(' ')}: ${output}`)
  }
  const there = (...args: string[]) => must('nsenter', ...enter, 'ip', ...args)
  const here = (...args: string[]) => must('ip', ...args)
  const services: ReturnType<typeof spawn>[] = []
  const close = async () => {
    const all = [...services, holder]
    const ended = all.map((child) => (child.exitCode === null ? once(child, 'close') : null))
    for (const child of all) child.kill('SIGKILL')
    await Promise.all(ended)
    await runProgram('ip', ['link', 'delete', LINK])
  }
  try {
    const peer = ['type', 'veth', 'peer', 'name', 'away', 'netns', String(holder.pid)]
    await here('link', 'add', LINK, ...peer)
    await here('address', 'add', `${OWN.private}/24`, 'dev', LINK)
    await here('address', 'add', `${OWN.public}/24`, 'dev', LINK)
    await here('address', 'add', `${OWN.ipv6}/64`, 'dev', LINK, 'nodad')
    await here('link', 'set', LINK, 'up')
    await there('link', 'set', 'lo', 'up')
    await there('link', 'set', 'away', 'up')
    for (const address of Object.values(AT)) {
      const near = address.startsWith('10.99.') || address.startsWith('198.51.')
      await there('address', 'add', `${address}/${near ? 24 : 32}`, 'dev', 'away')
      if (!near) await here('route', 'add', `${address}/32`, 'via', AT['class A'], 'dev', LINK)
    }
    await there('address', 'add', 'fd99:7::2/64', 'dev', 'away', 'nodad')
    await there('-6', 'route', 'add', 'default', 'via', OWN.ipv6)
    for (const [file = '', ...args] of SERVICES)
      services.push(spawn('nsenter', [...enter, file, ...args], { stdio: 'ignore' }))
  } catch (error) {
    await close()
    throw error
  }
  return { own: OWN, at: AT, close }
}
