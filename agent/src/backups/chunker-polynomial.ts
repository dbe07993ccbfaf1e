import { randomBytes } from 'node:crypto'

const DEGREE = 53

/**
 * A random irreducible polynomial over GF(2), which decides where files are cut into chunks. Each
 * repository has one of its own, so that the sizes of chunks do not tell which files it contains.
 */
export function chunkerPolynomial(): bigint {
  for (;;) {
    const random = BigInt.asUintN(DEGREE, randomBytes(8).readBigUInt64BE())
    const polynomial = (1n << BigInt(DEGREE)) | random | 1n
    if (isIrreducible(polynomial)) return polynomial
  }
}

/**
 * Rabin's test for a degree that is prime: no root in GF(2), and x^(2^degree) = x.
 * @param polynomial of that degree
 */
export function isIrreducible(polynomial: bigint): boolean {
  const terms = polynomial.toString(2).replaceAll('0', '').length
  if (polynomial % 2n === 0n || terms % 2 === 0) return false
  let power = 2n
  for (let step = 0; step < DEGREE; step++) power = squared(power, polynomial)
  return power === 2n
}

/** Squaring over GF(2) doubles every exponent. */
function squared(value: bigint, modulus: bigint): bigint {
  let square = BigInt(`0b${value.toString(2).split('').join('0')}`)
  for (let bits = bitsOf(square); bits > DEGREE; bits = bitsOf(square))
    square ^= modulus << BigInt(bits - DEGREE - 1)
  return square
}

const bitsOf = (value: bigint): number => value.toString(2).length
