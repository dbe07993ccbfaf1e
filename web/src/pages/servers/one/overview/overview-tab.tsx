import { formatBytes, formatMib } from '@lodge/shared/units.ts'
import { useQuery } from '@tanstack/react-query'
import { paths } from '../../../../paths.ts'
import { q } from '../../../../query.ts'
import { LinkButton } from '../../../../ui/buttons/link.tsx'
import { Copyable } from '../../../../ui/data/copy.tsx'
import { Pill } from '../../../../ui/data/status.tsx'
import { Ago } from '../../../../ui/data/time.tsx'
import { Loaded } from '../../../../ui/notices/loaded.tsx'
import { Card, Facts } from '../../../../ui/page/card.tsx'
import { Column, Grid, Split, Text } from '../../../../ui/page/layout.tsx'
import { Output } from '../../../../ui/panes/output.tsx'
import { addressOf } from '../../usage.ts'
import { exitWords, policySentence, usedWords } from '../crashes/crash-words.ts'
import { FigureCards } from '../figure-cards.tsx'
import { plainLine } from '../plain-line.ts'
import { useServer } from '../use-server.ts'
import { LatelyCard } from './lately-card.tsx'
import { PlayersCard } from './players-card.tsx'

const LINES = 6

/** A server at a glance. */
export default function OverviewTab() {
  const server = useServer()
  const params = { id: server.id }
  const log = useQuery(q('GET /api/servers/{id}/logs', { params, query: { lines: LINES } }))
  const policy = useQuery(q('GET /api/servers/{id}/crash-policy', { params }))
  const address = addressOf(server)
  const vm = server.kind === 'vm'
  return (
    <Split side={340}>
      <Column>
        <Grid least={104}>
          <FigureCards server={server} />
        </Grid>
        <Card
          title={vm ? 'Last of the serial line' : 'Last output'}
          flush
          actions={
            <LinkButton
              to={vm ? paths.serverSerial : paths.serverConsole}
              params={params}
              size="small"
            >
              {vm ? 'Open serial line' : 'Open console'}
            </LinkButton>
          }
        >
          <Output
            label="Last output"
            least={132}
            text={
              log.data?.lines.slice(-LINES).map(plainLine).join('\n') ||
              log.error?.message ||
              'Nothing yet.'
            }
          />
        </Card>
        <LatelyCard serverId={server.id} />
      </Column>
      <Column>
        <Card title="Connection">
          {address === null ? (
            <Text muted>This server has no port.</Text>
          ) : (
            <Copyable value={address} label="Copy the address" />
          )}
        </Card>
        {vm ? null : <PlayersCard server={server} />}
        <Card title="Details">
          <Facts
            rows={[
              [
                vm ? 'Hardware' : 'Template',
                vm ? (
                  server.templateName
                ) : (
                  <>
                    {server.templateName}{' '}
                    <Pill tone={server.templateOutdated ? 'warn' : 'idle'}>
                      v{server.templateVersion}
                    </Pill>
                    {server.templateOutdated ? (
                      <Text small muted>
                        {' '}
                        A newer version exists.
                      </Text>
                    ) : null}
                  </>
                ),
              ],
              [
                'Size',
                `${formatMib(server.memoryMb)} memory, ${server.cpuPercent} % CPU, ${formatMib(server.diskMb)} disk`,
              ],
              ['Node', `${server.nodeName} · ${server.location}`],
              ['Owner', server.ownerEmail],
              ['Created', <Ago key="created" at={server.createdAt} />],
              ['Id', <Copyable key="id" value={server.id} label="Copy the id" />],
            ]}
          />
        </Card>
        <Card
          title="Crash guard"
          actions={
            <LinkButton to={paths.serverCrashes} params={params} size="small" kind="quiet">
              History
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
            {server.lastExit ? (
              <Text small>
                Last exit <Ago at={server.lastExit.at} />: {exitWords(server.lastExit)}
              </Text>
            ) : null}
            {server.usage?.diskBytes ? (
              <Text small muted>
                Uses {formatBytes(server.usage.diskBytes)} of disk.
              </Text>
            ) : null}
          </Column>
        </Card>
      </Column>
    </Split>
  )
}
