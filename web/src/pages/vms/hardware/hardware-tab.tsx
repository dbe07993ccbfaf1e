import { Copyable } from '../../../ui/data/copy.tsx'
import { Pill } from '../../../ui/data/status.tsx'
import { Loaded } from '../../../ui/notices/loaded.tsx'
import { Card, Facts } from '../../../ui/page/card.tsx'
import { Column, Split, Text } from '../../../ui/page/layout.tsx'
import { useServer } from '../../servers/one/use-server.ts'
import { ChangeNote } from '../change-note.tsx'
import { useVm, type Vm } from '../use-vm.ts'
import { DisksCard } from './disks-card.tsx'
import { firmwareWords } from './hardware-words.ts'
import { InstallationCard } from './installation-card.tsx'
import { ResourcesCard } from './resources-card.tsx'

/** The hardware of a virtual machine. */
export default function HardwareTab() {
  const server = useServer()
  const vm = useVm()
  return (
    <Loaded query={vm} lines={8}>
      {(found) => (
        <Column>
          <ChangeNote vm={found} />
          <Split side={400}>
            <Column>
              <ResourcesCard
                key={`${found.vcpus} ${found.memoryMb}`}
                serverId={server.id}
                vm={found}
              />
              <DisksCard serverId={server.id} vm={found} />
              <InstallationCard key={`${found.medium?.id} ${found.bootOrder.join()}`} vm={found} />
            </Column>
            <ProfileCard vm={found} />
          </Split>
        </Column>
      )}
    </Loaded>
  )
}

function ProfileCard({ vm }: { vm: Vm }) {
  const { hardware } = vm.profile
  return (
    <Card title="Hardware profile">
      <Column gap={12}>
        <Facts
          rows={[
            ['Profile', vm.profile.name],
            ['Firmware', firmwareWords(hardware.firmware)],
            ['TPM 2.0', hardware.tpm ? 'Yes, of its own' : 'No'],
            ['Processor', hardware.cpuModel === 'host' ? 'As the node has it' : hardware.cpuModel],
            ['Disks at', hardware.diskBus],
            ['Network card', hardware.nicModel],
            ['Graphics', hardware.video === 'none' ? 'None' : hardware.video],
            [
              'Runs with',
              vm.kvm === null ? (
                <Text muted>Not known yet</Text>
              ) : (
                <Pill tone={vm.kvm ? 'ok' : 'warn'}>{vm.kvm ? 'KVM' : 'Emulation, slow'}</Pill>
              ),
            ],
            ['Id', <Copyable key="id" value={vm.uuid} label="Copy the id of the hardware" />],
          ]}
        />
        <Text small muted>
          A machine keeps its profile for ever, so that its system never finds another one under
          itself.
        </Text>
      </Column>
    </Card>
  )
}
