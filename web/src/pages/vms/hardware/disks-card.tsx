import { ChangeVmDisks } from '@lodge/shared/vms.ts'
import HardDriveUpload from 'lucide-react/icons/hard-drive-upload'
import Plus from 'lucide-react/icons/plus'
import { useState } from 'react'
import { api } from '../../../api.ts'
import { Button, IconButton } from '../../../ui/buttons/button.tsx'
import { formatMib } from '../../../ui/data/numbers.ts'
import { Pill } from '../../../ui/data/status.tsx'
import { type Column, Table } from '../../../ui/data/table.tsx'
import { Dialog } from '../../../ui/dialogs/dialog.tsx'
import { SizeField } from '../../../ui/fields/measure-fields.tsx'
import { Form, useForm } from '../../../ui/form/form.tsx'
import { toastDone } from '../../../ui/notices/toast.tsx'
import { Card } from '../../../ui/page/card.tsx'
import { Text } from '../../../ui/page/layout.tsx'
import { useVmChanged, useWhyNotChange, type Vm } from '../use-vm.ts'
import { t } from '../words.ts'

type Disk = Vm['disks'][number]

const rate = (perSecond: number): string =>
  perSecond === 0 ? t.any : t.perSecond({ rate: perSecond })
const limitWords = ({ limits: { readIops, writeIops } }: Disk): string =>
  readIops === 0 && writeIops === 0
    ? t.noLimit
    : t.speedOf({ read: rate(readIops), write: rate(writeIops) })

const columns = (): readonly Column<Disk>[] => [
  { header: t.disk, role: 'title', cell: ({ id }) => <Text mono>{id}</Text> },
  { header: t.size, cell: ({ sizeMb }) => formatMib(sizeMb) },
  {
    header: t.speed,
    secondary: true,
    cell: limitWords,
  },
]

/** Adds and grows disks; never shrinks them, which guests do not survive. */
export function DisksCard({ serverId, vm }: { serverId: string; vm: Vm }) {
  const [asked, setAsked] = useState<'new' | Disk>()
  const whyNot = useWhyNotChange(vm)('POST /api/servers/{id}/vm/disks', 'vm.disks')
  const all: readonly Column<Disk>[] = [
    ...columns(),
    {
      header: t.use,
      cell: ({ id }) => (id === vm.disks[0]?.id ? <Pill tone="info">{t.system}</Pill> : t.data),
    },
    {
      header: t.actions,
      role: 'acts',
      cell: (disk) => (
        <IconButton
          label={t.enlarge({ disk: disk.id })}
          size="small"
          disabledBecause={whyNot}
          onClick={() => setAsked(disk)}
        >
          <HardDriveUpload />
        </IconButton>
      ),
    },
  ]
  return (
    <Card
      title={vm.storage === null ? t.disks : t.disksOn({ storage: vm.storage })}
      flush
      actions={
        <Button
          size="small"
          icon={<Plus />}
          disabledBecause={whyNot ?? (vm.disks.length >= 8 ? t.eight : undefined)}
          onClick={() => setAsked('new')}
        >
          {t.addDisk}
        </Button>
      }
    >
      <Table label={t.disks} rows={vm.disks} columns={all} keyOf={({ id }) => id} empty={null} />
      <Dialog
        title={asked === undefined || asked === 'new' ? t.addDisk : t.enlarge({ disk: asked.id })}
        opened={asked !== undefined}
        onClose={() => setAsked(undefined)}
      >
        <DiskForm
          key={asked === undefined || asked === 'new' ? 'new' : asked.id}
          serverId={serverId}
          disk={asked === 'new' ? undefined : asked}
          onDone={() => setAsked(undefined)}
        />
      </Dialog>
    </Card>
  )
}

interface DiskFormProps {
  serverId: string
  disk: Disk | undefined
  onDone: () => void
}

function DiskForm({ serverId, disk, onDone }: DiskFormProps) {
  const changed = useVmChanged()
  const bodyOf = ({ sizeMb }: { sizeMb: number | undefined }) => ({
    disks: [{ ...(disk ? { id: disk.id } : {}), sizeMb }],
  })
  const form = useForm<{ sizeMb: number | undefined }, unknown>({
    initial: { sizeMb: disk?.sizeMb ?? 10_240 },
    schema: ChangeVmDisks,
    toBody: bodyOf,
    submit: (values) =>
      api('POST /api/servers/{id}/vm/disks', {
        params: { id: serverId },
        body: ChangeVmDisks.parse(bodyOf(values)),
      }),
    done: () => {
      changed()
      toastDone(disk ? t.grows({ disk: disk.id }) : t.diskAdded, t.nextStart)
      onDone()
    },
  })
  const { sizeMb } = form.values
  const small = disk !== undefined && (sizeMb ?? 0) <= disk.sizeMb
  return (
    <Form
      form={form}
      command
      submitText={disk ? t.enlargeDisk : t.addDisk}
      disabledBecause={sizeMb === undefined ? t.sizeMissing : small ? t.onlyGrows : undefined}
    >
      <SizeField
        label={t.size}
        description={disk ? t.partitions : t.exampleSize}
        {...form.field('sizeMb', 'disks/0/sizeMb')}
      />
    </Form>
  )
}
