import { Link } from '@tanstack/react-router'
import { saidReason } from '../../../../panel/said.ts'
import { paths } from '../../../../paths.ts'
import { Note } from '../../../../ui/notices/note.tsx'
import { rich } from '../../../../ui/page/rich.ts'
import type { Node } from '../container/values.ts'
import { t } from '../words.ts'

const MOST_NODES = 3

/** Lists why each node takes no virtual machines, with a link to change that. */
export function NoMachinesNote({ nodes }: { nodes: readonly Node[] }) {
  const shown = nodes.slice(0, MOST_NODES)
  return (
    <Note tone="warn" title={t.noMachinesNow}>
      {shown.map((node) => (
        <div key={node.id}>
          {rich(
            t.nodeBecause({
              name: node.name,
              why: whyNot(node),
              link: (text) => (
                <Link to={paths.node} params={{ id: node.id }}>
                  {text}
                </Link>
              ),
            }),
          )}
        </div>
      ))}
      {nodes.length > shown.length ? (
        <Link to={paths.nodes}>{t.otherNodes({ count: nodes.length - shown.length })}</Link>
      ) : null}
    </Note>
  )
}

function whyNot({ virtualization: { enabled, emulationAllowed, found } }: Node): string {
  if (found === null) return t.hasNoLibvirt
  if (!found.available) return saidReason(found.why)
  if (!found.kvm && !emulationAllowed) return t.hasNoKvm
  return enabled ? t.isClosed : t.machinesOff
}
