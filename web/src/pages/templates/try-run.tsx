import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api.ts'
import { qAll } from '../../query.ts'
import { SelectField } from '../../ui/choices/select-field.tsx'
import { FieldGrid } from '../../ui/form/fields.tsx'
import { Form, useForm } from '../../ui/form/form.tsx'
import { VariableField } from '../../ui/form/variable-field.tsx'
import { Column, Text } from '../../ui/page/layout.tsx'
import type { ShownTemplate } from './shown-template.ts'
import { type Tried, TryProgress } from './try-progress.tsx'
import { t } from './words.ts'

interface Values {
  nodeId: string
  image: string
  variables: Record<string, string>
}

/** Whether a variable without a default must be filled in before a server can be created. */
const isOpen = ({ default: usual, input }: ShownTemplate['variables'][number]): boolean =>
  usual === '' && (input.kind === 'password' || (input.kind === 'text' && input.required))

/** Creates a server for a few minutes and shows how it installs and starts. */
export default function TryRun({ template }: { template: ShownTemplate }) {
  const nodes = useQuery(qAll('GET /api/nodes'))
  const [tried, setTried] = useState<Tried>()
  const form = useForm<Values, Tried>({
    initial: { nodeId: '', image: '', variables: {} },
    submit: ({ nodeId, image, variables }) =>
      api('POST /api/templates/{id}/try', {
        params: { id: template.id },
        body: {
          variables,
          ...(nodeId === '' ? {} : { nodeId }),
          ...(image === '' ? {} : { image }),
        },
      }),
    refreshes: ['GET /api/servers', 'GET /api/jobs'],
    done: setTried,
  })
  if (tried) return <TryProgress tried={tried} onAgain={() => setTried(undefined)} />
  const { variables } = form.values
  const online = (nodes.data?.items ?? []).filter(({ state }) => state === 'online')
  return (
    <Form form={form} command submitText={t.startTry}>
      <Column>
        <Text muted>{t.tryText({ version: template.version })}</Text>
        <FieldGrid>
          <SelectField
            label={t.node}
            placeholder={t.anyNode}
            choices={online.map(({ id, name }) => ({ value: id, label: name }))}
            {...form.field('nodeId')}
          />
          {template.images.length > 1 ? (
            <SelectField
              label={t.image}
              placeholder={template.images[0]?.name ?? ''}
              choices={template.images.map(({ name }) => ({ value: name, label: name }))}
              {...form.field('image')}
            />
          ) : null}
          {template.variables.filter(isOpen).map(({ env, name, description, input }) => (
            <VariableField
              key={env}
              label={name}
              description={description || undefined}
              input={input}
              value={variables[env] ?? ''}
              error={form.errors[`variables/${env}`]}
              onChange={(value) => form.set('variables', { ...variables, [env]: value })}
            />
          ))}
        </FieldGrid>
      </Column>
    </Form>
  )
}
