import { formatMib } from '@lodge/shared/units.ts'
import { Card, Facts } from '../../ui/page/card.tsx'
import type { ShownTemplate } from './shown-template.ts'

const PROTOCOLS = { tcp: 'TCP', udp: 'UDP', both: 'TCP and UDP' }

/** What a server of a template takes: sizes, ports, image. */
export function RequirementsCard({ template }: { template: ShownTemplate }) {
  const { recommended, ports, images, registries, document } = template
  const cores = recommended.cpuPercent / 100
  return (
    <Card title="Requirements">
      <Facts
        rows={[
          ['Memory', formatMib(recommended.memoryMb)],
          ['CPU', `${cores} ${cores === 1 ? 'core' : 'cores'}`],
          ['Disk', formatMib(recommended.diskMb)],
          [
            ports.length === 1 ? 'Port' : 'Ports',
            ports.map(({ label, protocol }) => (
              <div key={label}>
                {ports.length === 1 ? '' : `${label}: `}
                {PROTOCOLS[protocol]}
              </div>
            )),
          ],
          [
            images.length === 1 ? 'Image' : 'Images',
            images.map(({ name, reference }) => (
              <div key={name} title={reference}>
                {name}
              </div>
            )),
          ],
          ['Downloads from', registries.length === 0 ? 'Debian packages' : registries.join(', ')],
          ['Installation', document.runtime.install ? 'By a script' : 'None needed'],
        ]}
      />
    </Card>
  )
}
