import { useQuery } from '@tanstack/react-query'
import type { Reply } from '../../api.ts'
import { q } from '../../query.ts'
import { Card } from '../../ui/card.tsx'
import { Column, Text } from '../../ui/layout.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Meter } from '../../ui/meter.tsx'

type Limit = Reply<'GET /api/limits/me'>['limits'][number]

const isShown = (limit: Limit): boolean => typeof limit.value === 'number' && limit.type === 'total'
const name = (kind: string): string => kind.charAt(0).toUpperCase() + kind.slice(1)

/** What the account may own, how much of it is used, and where each number comes from. */
export function LimitsCard() {
  const limits = useQuery(q('GET /api/limits/me'))
  return (
    <Card title="Limits">
      <Loaded query={limits} lines={3}>
        {(view) => {
          const shown = view.limits.filter(isShown)
          if (!view.enforced || shown.length === 0)
            return <Text muted>Nothing is limited for you.</Text>
          return (
            <Column gap={14}>
              {shown.map((limit) => (
                <Column key={limit.key} gap={4}>
                  <Meter
                    label={name(limit.kind)}
                    value={limit.used ?? 0}
                    of={Number(limit.value)}
                    text={
                      limit.used === null
                        ? `at most ${limit.value}`
                        : `${limit.used} of ${limit.value}`
                    }
                  />
                  <Text small muted>
                    {limit.over
                      ? 'Over the limit: nothing is taken away, but nothing new fits. '
                      : ''}
                    From {limit.origin.label}.
                  </Text>
                </Column>
              ))}
            </Column>
          )
        }}
      </Loaded>
    </Card>
  )
}
