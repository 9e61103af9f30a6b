import { Unworkable } from './expression'

/** A unit first, then the other ways it is written; plurals in s are understood. Each by how many of the first one of its kind it is. */
const kinds = {
  length:
    'm metre meter =1; km kilometre kilometer =1000; cm centimetre centimeter =0.01; mm millimetre millimeter =0.001; µm micron micrometre micrometer =1e-6; nm nanometre nanometer =1e-9; mi mile =1609.344; yd yard =0.9144; ft foot feet =0.3048; in inch inches =0.0254; nmi nautical_mile =1852',
  mass: 'kg kilogram kilo =1; g gram gramme =0.001; mg milligram =1e-6; t tonne metric_ton =1000; lb lbs pound =0.45359237; oz ounce =0.028349523125; st stone =6.35029318; short_ton =907.18474',
  volume:
    'l litre liter =1; ml millilitre milliliter =0.001; cl centilitre centiliter =0.01; m3 m³ cubic_metre cubic_meter =1000; gal gallon =3.785411784; qt quart =0.946352946; pt pint =0.473176473; cup =0.2365882365; fl_oz fluid_ounce =0.0295735295625; cm3 cm³ =0.001',
  area: 'm2 m² square_metre square_meter =1; km2 km² square_kilometre square_kilometer =1e6; ha hectare =10000; acre =4046.8564224; ft2 ft² square_foot square_feet =0.09290304; mi2 mi² square_mile =2589988.110336; cm2 cm² =0.0001',
  time: 's sec second =1; ms millisecond =0.001; min minute =60; h hr hour =3600; d day =86400; wk week =604800',
  calendar: 'month =1; quarter =3; year yr =12; decade =120; century centuries =1200',
  data: 'byte =1; bit =0.125; kb kilobyte =1e3; mb megabyte =1e6; gb gigabyte =1e9; tb terabyte =1e12; pb petabyte =1e15; kib kibibyte =1024; mib mebibyte =1048576; gib gibibyte =1073741824; tib tebibyte =1099511627776',
  energy:
    'j joule =1; kj kilojoule =1000; mj megajoule =1e6; gj gigajoule =1e9; wh watt_hour =3600; kwh kilowatt_hour =3.6e6; mwh megawatt_hour =3.6e9; gwh gigawatt_hour =3.6e12; twh terawatt_hour =3.6e15; cal calorie =4.184; kcal kilocalorie =4184; btu =1055.05585262',
  power: 'w watt =1; kw kilowatt =1000; mw megawatt =1e6; gw gigawatt =1e9; hp horsepower =745.69987158227',
  speed: 'm/s =1; km/h kmh kph =0.2777777777777778; mph =0.44704; kn knot =0.5144444444444445',
  temperature: '°c c celsius centigrade =1; °f f fahrenheit =1; k kelvin =1',
} as const
type Kind = keyof typeof kinds
type Unit = { name: string; kind: Kind; size: number }

const isKind = (kind: string): kind is Kind => Object.hasOwn(kinds, kind)

const known = new Map<string, Unit>()
for (const [kind, written] of Object.entries(kinds))
  for (const entry of written.split(';')) {
    const [forms = '', size = ''] = entry.split('=')
    const all = forms.trim().split(/\s+/)
    for (const form of all) if (isKind(kind)) known.set(form, { name: all[0] ?? form, kind, size: Number(size) })
  }

const found = (written: string): Unit | undefined => {
  const form = written
    .trim()
    .toLowerCase()
    .normalize('NFC')
    .replace(/^degrees?[ _]/, '')
    .replace(/[ -]+/g, '_')
  return known.get(form) ?? known.get(form.replace(/s$/, '')) ?? known.get(form.replace(/s(?=_)/, ''))
}

/** The one name of a unit, however it is written; currencies are none: their worth is no constant. */
export const unitOf = (written: string): string | undefined => found(written)?.name

export const areAlike = (a: string, b: string): boolean => {
  const [one, other] = [found(a), found(b)]
  return one !== undefined && one.kind === other?.kind
}

const toCelsius: Record<string, (value: number) => number> = {
  '°c': (value) => value,
  '°f': (value) => ((value - 32) * 5) / 9,
  k: (value) => value - 273.15,
}
const fromCelsius: Record<string, (value: number) => number> = {
  '°c': (value) => value,
  '°f': (value) => (value * 9) / 5 + 32,
  k: (value) => value + 273.15,
}

export const convert = (value: number, from: string, to: string): number => {
  const [source, target] = [found(from), found(to)]
  if (!source || !target) throw new Unworkable(`“${source ? to : from}” is no unit that can be converted`)
  if (source.kind !== target.kind)
    throw new Unworkable(
      `“${from}” cannot be converted to “${to}”: one measures ${source.kind}, the other ${target.kind}`,
    )
  if (source.kind === 'temperature') return fromCelsius[target.name]?.(toCelsius[source.name]?.(value) ?? NaN) ?? NaN
  return (value * source.size) / target.size
}
