import { Copyable } from '../../../ui/data/copy.tsx'
import { Pill } from '../../../ui/data/status.tsx'
import { SaveForm } from '../../../ui/form/save-form.tsx'
import { Loaded } from '../../../ui/notices/loaded.tsx'
import { Card, Facts } from '../../../ui/page/card.tsx'
import { Column, Split, Text } from '../../../ui/page/layout.tsx'
import { useServer } from '../../servers/one/use-server.ts'
import { ChangeNote } from '../change-note.tsx'
import { useVm, type Vm } from '../use-vm.ts'
import { t } from '../words.ts'
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
            <SaveForm label={t.hardware}>
              <ResourcesCard serverId={server.id} vm={found} />
              <DisksCard serverId={server.id} vm={found} />
              <InstallationCard vm={found} />
            </SaveForm>
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
    <Card title={t.hardwareProfile}>
      <Column gap={12}>
        <Facts
          rows={[
            [t.profile, vm.profile.name],
            [t.firmware, firmwareWords(hardware.firmware)],
            [t.tpm, hardware.tpm ? t.ownTpm : t.no],
            [t.processor, hardware.cpuModel === 'host' ? t.asNode : hardware.cpuModel],
            [t.diskBus, hardware.diskBus],
            [t.networkCard, hardware.nicModel],
            [t.graphics, hardware.video === 'none' ? t.noGraphics : hardware.video],
            [
              t.runsWith,
              vm.kvm === null ? (
                <Text muted>{t.notKnown}</Text>
              ) : (
                <Pill tone={vm.kvm ? 'ok' : 'warn'}>{vm.kvm ? t.kvm : t.emulation}</Pill>
              ),
            ],
            [t.id, <Copyable key="id" value={vm.uuid} label={t.copyId} />],
          ]}
        />
        <Text small muted>
          {t.profileForEver}
        </Text>
      </Column>
    </Card>
  )
}
