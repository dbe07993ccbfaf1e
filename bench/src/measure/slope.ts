/**
 * How a cost grows: the exponent k of cost ~ n^k, by least squares over the logarithms. 0 is
 * constant, 1 is linear.
 * @param points at least three sizes over at least three decades
 */
export function growthExponent(points: readonly { size: number; cost: number }[]): number {
  const sizes = points.map((point) => point.size)
  if (points.length < 3 || Math.max(...sizes) < 100 * Math.min(...sizes)) {
    throw new Error('growth needs three sizes that lie two powers of ten apart at least')
  }
  const xs = sizes.map(Math.log)
  const ys = points.map((point) => Math.log(point.cost))
  const [meanX, meanY] = [mean(xs), mean(ys)]
  const covariance = mean(xs.map((x, at) => (x - meanX) * ((ys[at] ?? 0) - meanY)))
  return covariance / mean(xs.map((x) => (x - meanX) ** 2))
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length
