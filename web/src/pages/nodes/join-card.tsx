import type { Node } from '@lodge/shared/nodes.ts'
import { useMutation } from '@tanstack/react-query'
import { useEffect } from 'react'
import { api } from '../../api.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { CommandBox } from '../../ui/data/copy.tsx'
import { Ago } from '../../ui/data/time.tsx'
import { ProblemNote } from '../../ui/notices/problem-note.tsx'
import { Skeletons } from '../../ui/notices/states.tsx'
import { Card } from '../../ui/page/card.tsx'
import { Column, Row, Split, Text } from '../../ui/page/layout.tsx'
import { JoinChecks } from './checks.tsx'

/** The command to paste on a new machine, and its progress. */
export function JoinCard({ node }: { node: Node }) {
  const token = useMutation({
    mutationFn: () => api('POST /api/nodes/{id}/enrollment', { params: { id: node.id } }),
  })
  const waiting = node.state === 'enrolling'
  // A new token each time this is shown
  useEffect(() => {
    if (waiting) token.mutate()
  }, [node.id])
  return (
    <Card title={`Join ${node.name}`}>
      <Split side={380}>
        <Column gap={10}>
          <Text muted>
            Paste this line on the machine as root. The token in it works once and is not shown
            again.
          </Text>
          {token.data ? (
            <CommandBox command={token.data.command} label="Command that joins the node" />
          ) : null}
          {token.isPending ? <Skeletons lines={3} /> : null}
          {token.error ? <ProblemNote error={token.error} onRetry={() => token.mutate()} /> : null}
          {token.data ? (
            <Row between>
              <Text small muted>
                The token expires <Ago at={token.data.expiresAt} />.
              </Text>
              <Button size="small" kind="quiet" onClick={() => token.mutate()}>
                New token
              </Button>
            </Row>
          ) : null}
        </Column>
        <JoinChecks node={node} />
      </Split>
    </Card>
  )
}
