import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Reply } from '../../../../api.ts'
import { paths } from '../../../../paths.ts'
import { q } from '../../../../query.ts'
import { useMay } from '../../../../session/session.ts'
import { LinkButton } from '../../../../ui/buttons/link.tsx'
import { SaveForm } from '../../../../ui/form/save-form.tsx'
import { Loaded } from '../../../../ui/notices/loaded.tsx'
import { Note } from '../../../../ui/notices/note.tsx'
import { Card } from '../../../../ui/page/card.tsx'
import { Column, Split, Text } from '../../../../ui/page/layout.tsx'
import { Output } from '../../../../ui/panes/output.tsx'
import { useServer } from '../use-server.ts'
import { ImagePart } from './image-part.tsx'
import { VariableFields } from './variable-fields.tsx'
import { t } from './words.ts'

type Startup = Reply<'GET /api/servers/{id}/startup'>

/** With a save bar, if anything can be changed. */
const Savable = ({ startup, children }: { startup: Startup; children: ReactNode }) =>
  startup.variables.length > 0 || startup.images.length > 1 ? (
    <SaveForm label={t.startup}>{children}</SaveForm>
  ) : (
    children
  )

/** The startup: variables, command and image; and whether the template has a newer version. */
export default function StartupTab() {
  const server = useServer()
  const mayView = useMay()('templates.view')
  const startup = useQuery(q('GET /api/servers/{id}/startup', { params: { id: server.id } }))
  return (
    <Column>
      {server.templateOutdated ? (
        <Note
          tone="info"
          title={t.newerVersion({
            template: server.templateName,
            version: server.templateVersion,
          })}
          action={
            mayView && server.templateId ? (
              <LinkButton to={paths.template} params={{ id: server.templateId }} size="small">
                {t.openTemplate}
              </LinkButton>
            ) : undefined
          }
        >
          {mayView ? t.newerVersionText : t.newerVersionFromHost}
        </Note>
      ) : null}
      <Loaded query={startup} lines={8}>
        {(found) => (
          <Savable startup={found}>
            <Split side={420}>
              <Card title={t.variables}>
                {found.variables.length === 0 ? (
                  <Text muted>{t.noVariables}</Text>
                ) : (
                  <VariableFields serverId={server.id} variables={found.variables} />
                )}
              </Card>
              <Column>
                <Card title={t.image}>
                  <ImagePart serverId={server.id} startup={found} />
                </Card>
                <Card title={t.command}>
                  <Column gap={10}>
                    {found.command.length === 0 ? (
                      <Text muted>{t.imageCommand}</Text>
                    ) : (
                      <Output label={t.command} text={found.command.join(' ')} />
                    )}
                    <Text small muted>
                      {t.commandFrom({
                        template: server.templateName,
                        version: found.templateVersion,
                      })}
                    </Text>
                  </Column>
                </Card>
              </Column>
            </Split>
          </Savable>
        )}
      </Loaded>
    </Column>
  )
}
