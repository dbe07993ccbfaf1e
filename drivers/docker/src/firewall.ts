import { runProgram } from '@lodge/driver/run-program.ts'
import type { Settings } from './options.ts'

/**
 * Keeps servers away from the machine that carries them: a bridge's gateway address is the host
 * itself, and without these rules every service that listens there could be reached from a container.
 * Servers are kept away from each other as well.
 */
export interface Firewall {
  /** Puts the rules in place when they are not. Answers why not, or null when they are. */
  ensure(): Promise<string | null>
}

export function hostFirewall(settings: Settings): Firewall {
  const table = `lodge_${settings.networkPrefix}`

  let placed = false
  async function withNft(): Promise<boolean> {
    if (placed && (await runProgram('nft', ['list', 'table', 'inet', table])).code === 0)
      return true
    const { code } = await runProgram('nft', ['-f', '-'], { input: nftRules(table, settings) })
    placed = code === 0
    return placed
  }

  async function withIptables(): Promise<string | null> {
    const from = ['-i', `${settings.networkPrefix}+`]
    const answers = ['-m', 'conntrack', '--ctstate', 'ESTABLISHED,RELATED']
    const rules = [
      ['INPUT', ...from, '-j', 'DROP'],
      ['INPUT', ...from, ...answers, '-j', 'ACCEPT'],
      ['FORWARD', ...from, '-o', `${settings.networkPrefix}+`, '-j', 'DROP'],
      ...settings.blockedDestinations.map((to) => ['FORWARD', ...from, '-d', to, '-j', 'DROP']),
    ]
    for (const rule of rules) {
      if ((await runProgram('iptables', ['-w', '-C', ...rule])).code === 0) continue
      const { code, output } = await runProgram('iptables', ['-w', '-I', ...rule])
      if (code !== 0) return output.trim().slice(-200)
    }
    return null
  }

  let running: Promise<string | null> | null = null
  return {
    ensure() {
      running ??= (async () => {
        if (await withNft()) return null
        const why = await withIptables()
        return why === null ? null : `Servers can reach services of this machine: ${why}`
      })().finally(() => {
        running = null
      })
      return running
    },
  }
}

function nftRules(table: string, settings: Settings): string {
  const from = `iifname "${settings.networkPrefix}*"`
  const blocked = settings.blockedDestinations.map((to) => `${from} ip daddr ${to} drop`)
  return [
    // One transaction: rules of an earlier configuration go as the new ones come.
    `table inet ${table} {}`,
    `delete table inet ${table}`,
    `table inet ${table} {`,
    '  chain input {',
    '    type filter hook input priority -10; policy accept;',
    `    ${from} ct state established,related accept`,
    `    ${from} drop`,
    '  }',
    '  chain forward {',
    '    type filter hook forward priority -10; policy accept;',
    // The engine keeps its networks apart too, but whoever reloads its rules takes that away for a while.
    `    ${from} oifname "${settings.networkPrefix}*" drop`,
    ...blocked.map((rule) => `    ${rule}`),
    '  }',
    '}',
    '',
  ].join('\n')
}
