import { useQuery } from '@tanstack/react-query'
import { paths } from '../../../../paths.ts'
import { q } from '../../../../query.ts'
import { useMay } from '../../../../session/session.ts'
import { LinkButton } from '../../../../ui/buttons/link.tsx'
import { Loaded } from '../../../../ui/notices/loaded.tsx'
import { Note } from '../../../../ui/notices/note.tsx'
import { Card } from '../../../../ui/page/card.tsx'
import { Column, Split, Text } from '../../../../ui/page/layout.tsx'
import { Output } from '../../../../ui/panes/output.tsx'
import { useServer } from '../use-server.ts'
import { ImageForm } from './image-form.tsx'
import { VariablesForm } from './variables-form.tsx'

/** The startup: variables, command and image; and whether the template has a newer version. */
export default function StartupTab() {
  const server = useServer()
  const may = useMay()
  const startup = useQuery(q('GET /api/servers/{id}/startup', { params: { id: server.id } }))
  return (
    <Column>
      {server.templateOutdated ? (
        <Note
          tone="info"
          title={`${server.templateName} has a newer version than the one of this server (v${server.templateVersion})`}
          action={
            may('templates.view') && server.templateId ? (
              <LinkButton to={paths.template} params={{ id: server.templateId }} size="small">
                Open template
              </LinkButton>
            ) : undefined
          }
        >
          Update it on the page of the template. Its files stay.
        </Note>
      ) : null}
      <Loaded query={startup} lines={8}>
        {(found) => (
          <Split side={420}>
            <Card title="Variables">
              {found.variables.length === 0 ? (
                <Text muted>This template has no variables.</Text>
              ) : (
                <VariablesForm serverId={server.id} variables={found.variables} />
              )}
            </Card>
            <Column>
              <Card title="Image">
                <ImageForm serverId={server.id} startup={found} />
              </Card>
              <Card title="Command">
                <Column gap={10}>
                  {found.command.length === 0 ? (
                    <Text muted>The image's own command.</Text>
                  ) : (
                    <Output label="Command" text={found.command.join(' ')} />
                  )}
                  <Text small muted>
                    From {server.templateName} v{found.templateVersion}
                  </Text>
                </Column>
              </Card>
            </Column>
          </Split>
        )}
      </Loaded>
    </Column>
  )
}
