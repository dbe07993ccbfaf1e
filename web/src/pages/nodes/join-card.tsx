import type { Enrollment, Node } from '@lodge/shared/nodes.ts'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { api } from '../../api.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Segments } from '../../ui/choices/segments.tsx'
import { CommandBox } from '../../ui/data/copy.tsx'
import { Ago } from '../../ui/data/time.tsx'
import { ProblemNote } from '../../ui/notices/problem-note.tsx'
import { Skeletons } from '../../ui/notices/states.tsx'
import { Card } from '../../ui/page/card.tsx'
import { Column, Row, Split, Text } from '../../ui/page/layout.tsx'
import { JoinChecks } from './checks.tsx'

const WAYS = {
  curl: {
    label: 'One command',
    text: 'Run this as root on the machine. It downloads the agent from this control plane and starts it.',
    command: ({ command }: Enrollment) => command,
  },
  checkout: {
    label: 'From a checkout',
    text: 'Run this as root in a checkout of Lodge on the machine, where it can’t download from here.',
    command: ({ token }: Enrollment) => `npm run build && deploy/install-agent.sh ${token}`,
  },
} as const
type Way = keyof typeof WAYS

/** The command that joins a new machine, and its progress. */
export function JoinCard({ node }: { node: Node }) {
  const token = useMutation({
    mutationFn: () => api('POST /api/nodes/{id}/enrollment', { params: { id: node.id } }),
  })
  const [way, setWay] = useState<Way>('curl')
  const waiting = node.state === 'enrolling'
  // A new token each time this is shown
  useEffect(() => {
    if (waiting) token.mutate()
  }, [node.id])
  return (
    <Card title={`Join ${node.name}`}>
      <Split side={380}>
        <Column gap={12}>
          <Segments
            label="How to join"
            value={way}
            choices={[
              { value: 'curl', label: WAYS.curl.label },
              { value: 'checkout', label: WAYS.checkout.label },
            ]}
            onChange={setWay}
          />
          <Text muted>{WAYS[way].text}</Text>
          {token.data ? (
            <CommandBox
              command={WAYS[way].command(token.data)}
              label="Command that joins the node"
            />
          ) : null}
          {token.isPending ? <Skeletons lines={3} /> : null}
          {token.error ? <ProblemNote error={token.error} onRetry={() => token.mutate()} /> : null}
          {token.data ? (
            <Row between>
              <Text small muted>
                The token in it works once and expires <Ago at={token.data.expiresAt} />.
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
