import { formatMib } from '../../ui/data/numbers.ts'
import { Card, Facts } from '../../ui/page/card.tsx'
import type { ShownTemplate } from './shown-template.ts'
import { t } from './words.ts'

const protocols = () => ({ tcp: t.tcp, udp: t.udp, both: t.tcpAndUdp })

/** The requirements of a template's servers: sizes, ports, image. */
export function RequirementsCard({ template }: { template: ShownTemplate }) {
  const { recommended, ports, images, registries, document } = template
  const cores = recommended.cpuPercent / 100
  return (
    <Card title={t.requirements}>
      <Facts
        rows={[
          [t.memory, formatMib(recommended.memoryMb)],
          [t.cpu, t.cores({ cores })],
          [t.disk, formatMib(recommended.diskMb)],
          [
            t.ports({ count: ports.length }),
            ports.map(({ label, protocol }) => (
              <div key={label}>
                {ports.length === 1
                  ? protocols()[protocol]
                  : t.namedPort({ port: label, protocol: protocols()[protocol] })}
              </div>
            )),
          ],
          [
            t.images({ count: images.length }),
            images.map(({ name, reference }) => (
              <div key={name} title={reference}>
                {name}
              </div>
            )),
          ],
          [t.downloadsFrom, registries.length === 0 ? t.debianPackages : registries.join(', ')],
          [t.installation, document.runtime.install ? t.byScript : t.notNeeded],
        ]}
      />
    </Card>
  )
}
