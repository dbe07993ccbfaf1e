import { whyNoOpenings } from '@lodge/shared/node-abilities.ts'
import { CreateNode, EditNode, type Node } from '@lodge/shared/nodes.ts'
import { formatCpu } from '@lodge/shared/units.ts'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { api } from '../../api.ts'
import { formatMib } from '../../ui/data/numbers.ts'
import { AreaField } from '../../ui/fields/area-field.tsx'
import { CpuField, SizeField } from '../../ui/fields/measure-fields.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { FieldGrid } from '../../ui/form/fields.tsx'
import { Form, type FormState, useForm } from '../../ui/form/form.tsx'
import { UnsavedGuard } from '../../ui/form/unsaved-guard.tsx'
import { Text } from '../../ui/page/layout.tsx'
import { capacitiesOf } from './capacity.ts'
import { changeOf, creationOf, NEW_NODE, type NodeValues, valuesOf } from './node-values.ts'
import styles from './nodes.module.css'
import { t } from './words.ts'

interface NodeFormProps {
  /** Absent for a new one. */
  node?: Node
  /** Opens with the allocation limits expanded. */
  limits?: boolean
  onDone: (node: Node) => void
}

/** A node's name and location; its capacity is detected unless it is set here. */
export function NodeForm({ node, limits, onDone }: NodeFormProps) {
  const client = useQueryClient()
  const form = useForm<NodeValues, Node>({
    initial: node ? valuesOf(node) : NEW_NODE,
    schema: node ? EditNode : CreateNode,
    toBody: node ? (values) => changeOf(values, node) : creationOf,
    submit: (values) =>
      node
        ? api('PATCH /api/nodes/{id}', {
            params: { id: node.id },
            body: EditNode.parse(changeOf(values, node)),
          })
        : api('POST /api/nodes', { body: CreateNode.parse(creationOf(values)) }),
    refreshes: ['GET /api/nodes'],
    done: (saved) => {
      client.setQueryData(['GET /api/nodes/{id}', { params: { id: saved.id } }], saved)
      onDone(saved)
    },
  })
  return (
    <Form form={form} command submitText={node ? t.saveNode : t.createNode}>
      <UnsavedGuard changes={!node && form.changed.length > 0} isSaving={() => form.busy} />
      <FieldGrid least={200}>
        <TextField label={t.name} {...form.field('name')} />
        <TextField label={t.location} description={t.locationHelp} {...form.field('location')} />
      </FieldGrid>
      <Fold title={t.limits} open={limits ?? isSet(node)} wrong={isWrong(form.errors, CAPACITY)}>
        <CapacityFields form={form} node={node} />
      </Fold>
      <Fold title={t.network} open={false} wrong={isWrong(form.errors, NETWORK)}>
        <NetworkFields form={form} node={node} />
      </Fold>
    </Form>
  )
}

/** Whether an operator has set any limit of this node. */
const isSet = (node: Node | undefined): boolean =>
  node !== undefined && capacitiesOf(node).some(({ set }) => set)

const NETWORK = /^(address|portRanges|sftpPort|transferPort|openNetworks)/
const CAPACITY = /^(memoryMb|cpuPercent|diskMb|headroomMb)/
const isWrong = (errors: FormState<NodeValues>['errors'], fields: RegExp): boolean =>
  Object.keys(errors).some((name) => fields.test(name))

interface FoldProps {
  title: string
  /** Initially expanded. */
  open: boolean
  /** Whether any field in it has an error. */
  wrong: boolean
  children: ReactNode
}

/** Rarely used fields. It expands when one has an error, and then stays so. */
function Fold({ title, open, wrong, children }: FoldProps) {
  const [shown, setShown] = useState(open)
  if (wrong && !shown) setShown(true)
  return (
    <details
      className={styles.fold}
      open={shown}
      onToggle={(event) => setShown(event.currentTarget.open)}
    >
      <summary>{title}</summary>
      <div>{children}</div>
    </details>
  )
}

interface PartProps {
  form: FormState<NodeValues>
  node: Node | undefined
}

function CapacityFields({ form, node }: PartProps) {
  const detected = node?.detected
  const placeholder = (text: string | undefined) => ({
    placeholder: text === undefined ? t.placeholderUnknown : t.placeholder({ amount: text }),
  })
  return (
    <>
      <Text small muted>
        {t.limitsText}
      </Text>
      <FieldGrid least={200}>
        <SizeField
          label={t.memoryLimit}
          {...placeholder(detected ? formatMib(detected.memoryMb) : undefined)}
          {...form.field('memoryMb')}
        />
        <CpuField
          label={t.cpuLimit}
          {...placeholder(detected ? formatCpu(detected.cpuPercent) : undefined)}
          {...form.field('cpuPercent')}
        />
        <SizeField
          label={t.diskLimit}
          description={t.diskLimitHelp}
          {...placeholder(detected ? formatMib(detected.diskMb) : undefined)}
          {...form.field('diskMb')}
        />
        <SizeField
          label={t.headroom}
          description={t.headroomHelp}
          placeholder={
            node?.followed.includes('headroomMb')
              ? formatMib(node.headroomMb)
              : t.headroomPlaceholder
          }
          {...form.field('headroomMb')}
        />
      </FieldGrid>
    </>
  )
}

function NetworkFields({ form, node }: PartProps) {
  const noOpenings = node && whyNoOpenings(node)
  const ranges = Object.entries(form.errors).find(([name]) => name.startsWith('portRanges'))
  const network = Object.entries(form.errors).find(([name]) => name.startsWith('openNetworks'))
  return (
    <>
      <FieldGrid least={200}>
        <TextField
          label={t.addressField}
          description={t.addressHelp}
          placeholder={t.addressExample}
          {...form.field('address')}
        />
        <TextField
          label={t.portsField}
          description={t.portsHelp}
          placeholder="25000-29999"
          {...form.field('ports')}
          error={ranges?.[1]}
        />
        <TextField
          label={t.sftpPortField}
          description={t.sftpPortHelp}
          placeholder="2022"
          {...form.field('sftpPort')}
        />
        <TextField
          label={t.transferPortField}
          description={t.transferPortHelp}
          placeholder="7443"
          {...form.field('transferPort')}
        />
      </FieldGrid>
      {node && (
        <AreaField
          label={t.networksField}
          description={noOpenings ?? t.networksHelp}
          placeholder={'10.0.5.7 tcp 5432\n10.0.8.0/24 udp 27000-27100'}
          mono
          {...form.field('networks')}
          error={network && complaintOf(network)}
        />
      )}
    </>
  )
}

/** The error about the first wrong line. */
function complaintOf([name, why]: readonly [string, string | undefined]): string {
  const line = /\d+/.exec(name)
  return line ? t.lineWrong({ number: Number(line[0]) + 1, why: String(why) }) : String(why)
}
