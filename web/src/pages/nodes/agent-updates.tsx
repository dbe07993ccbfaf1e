import { UPDATES_ITSELF } from '@lodge/shared/node-abilities.ts'
import type { Node } from '@lodge/shared/nodes.ts'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { paths } from '../../paths.ts'
import { useAct } from '../../query.ts'
import { useMissing } from '../../session/session.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { ConfirmDialog } from '../../ui/dialogs/confirm.tsx'
import { Note } from '../../ui/notices/note.tsx'
import { toastDone } from '../../ui/notices/toast.tsx'
import { Text } from '../../ui/page/layout.tsx'
import { t } from './words.ts'

const begun = () => toastDone(t.updateBegun, <Link to={paths.jobs}>{t.viewJob}</Link>)
const replacesItself = ({ capabilities }: Node) => capabilities.includes(UPDATES_ITSELF)

/** Shows on a node's page that there is a newer agent, with a button to update it. */
export function AgentUpdate({ node }: { node: Node }) {
  const missing = useMissing()('nodes.manage')
  const update = useAct('POST /api/nodes/{id}/agent-update', ['GET /api/jobs'])
  const [isOpen, setIsOpen] = useState(false)
  if (!node.agentOutdated) return null
  const offline = node.connectedSince === null ? t.notConnected({ node: node.name }) : undefined
  return (
    <Note
      tone="info"
      title={t.newerAgent}
      action={
        replacesItself(node) ? (
          <Button disabledBecause={missing ?? offline} onClick={() => setIsOpen(true)}>
            {t.updateAgent}
          </Button>
        ) : undefined
      }
    >
      {replacesItself(node) ? t.newerAgentText : t.newerAgentByHand}
      <ConfirmDialog
        opened={isOpen}
        onClose={() => setIsOpen(false)}
        title={t.updateAgentOf({ node: node.name })}
        verb={t.updateAgent}
        kind="primary"
        onConfirm={async () => {
          await update.mutateAsync({ params: { id: node.id } })
          begun()
        }}
      >
        <Text>{t.updateAgentText}</Text>
      </ConfirmDialog>
    </Note>
  )
}

/** Shows above the list how many agents are outdated, with a button to update them in waves. */
export function AgentUpdates({ nodes }: { nodes: readonly Node[] }) {
  const missing = useMissing()('nodes.manage')
  const update = useAct('POST /api/nodes/agent-update', ['GET /api/jobs'])
  const [isOpen, setIsOpen] = useState(false)
  const outdated = nodes.filter(({ agentOutdated }) => agentOutdated)
  const able = outdated.filter(
    (node) => replacesItself(node) && node.connectedSince !== null,
  ).length
  if (outdated.length === 0) return null
  return (
    <Note
      tone="info"
      title={t.newerAgents({ count: outdated.length })}
      action={
        <Button
          disabledBecause={missing ?? (able === 0 ? t.noneReplacesItself : undefined)}
          onClick={() => setIsOpen(true)}
        >
          {t.updateAll}
        </Button>
      }
    >
      {t.newerAgentsText({ count: able })}
      <ConfirmDialog
        opened={isOpen}
        onClose={() => setIsOpen(false)}
        title={t.updateAgents({ count: able })}
        verb={t.updateAgents({ count: able })}
        kind="primary"
        onConfirm={async () => {
          await update.mutateAsync({ body: {} })
          begun()
        }}
      >
        <Text>{t.updateAllText}</Text>
      </ConfirmDialog>
    </Note>
  )
}
