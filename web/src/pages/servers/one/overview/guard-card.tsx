import type { Server, ServerEvent } from '@lodge/shared/servers.ts'
import { useQuery } from '@tanstack/react-query'
import { paths } from '../../../../paths.ts'
import { q } from '../../../../query.ts'
import { LinkButton } from '../../../../ui/buttons/link.tsx'
import { Ago } from '../../../../ui/data/time.tsx'
import { Loaded } from '../../../../ui/notices/loaded.tsx'
import { Card } from '../../../../ui/page/card.tsx'
import { Column, Text } from '../../../../ui/page/layout.tsx'
import { rich } from '../../../../ui/page/rich.ts'
import { eventWord, exitWords, policySentence, usedWords } from '../crashes/crash-words.ts'
import { t } from './words.ts'

const CRASHES: readonly ServerEvent['kind'][] = ['crashed', 'out_of_memory', 'disk_full']

/** The restart policy in a sentence, and the last crash with its cause. */
export function GuardCard({ server }: { server: Server }) {
  const params = { id: server.id }
  const policy = useQuery(q('GET /api/servers/{id}/crash-policy', { params }))
  // The same request as that of the recent events.
  const events = useQuery(q('GET /api/servers/{id}/events', { params, query: { limit: 50 } }))
  const crash = events.data?.items.find(({ kind }) => CRASHES.includes(kind))
  const exit = crash && exitWords(crash.exit)
  return (
    <Card
      title={t.crashPolicy}
      actions={
        <LinkButton to={paths.serverCrashes} params={params} size="small" kind="quiet">
          {t.changePolicy}
        </LinkButton>
      }
    >
      <Column gap={8}>
        <Loaded query={policy} lines={2}>
          {(found) => (
            <Text small muted>
              {policySentence(found)} {usedWords(found)}
            </Text>
          )}
        </Loaded>
        {crash ? (
          <Text small>
            {rich(
              t.lastCrash({ when: () => <Ago at={crash.at} />, cause: exit || eventWord(crash) }),
            )}
          </Text>
        ) : events.data ? (
          <Text small>{t.noCrash({ count: events.data.items.length })}</Text>
        ) : null}
      </Column>
    </Card>
  )
}
