const set = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/))

const people = set(`
  actor actress architect artist author boss brother captain ceo chairman chancellor child coach composer creator daughter designer
  developer director discoverer editor emperor father founder governor grandfather grandmother head husband illustrator inventor king
  leader lyricist manager mayor minister mother musician owner painter partner performer photographer poet president producer publisher
  queen rapper recipient ruler screenwriter sculptor sibling singer sister son songwriter spouse star successor predecessor teacher
  translator winner wife man woman player person writer
`)
/** What a person, a place or a work has one of. */
const belongings = set(`
  alma band birthplace capital church club company continent country currency deathplace employer genre headquarters hometown instrument
  jurisdiction label language league manufacturer mouth nationality network occupation parent religion sport studio team university
`)
const places = set(`
  area borough capital city colony continent country county district island nation park place planet province region state territory town
  village
`)
const works = set('album book film game journal magazine movie newspaper novel series show song')
const others = set(`
  body building conference department facility firm genre group industry lake league moon mountain ocean organisation organization party peninsula
  position product profession project river sandwich school service site sport stage station subsidiary tribe venue war worker
`)

const one = (noun: string): string => (noun.endsWith('s') && !noun.endsWith('ss') ? noun.slice(0, -1) : noun)
export const isPerson = (noun: string): boolean => people.has(one(noun))
export const isPlace = (noun: string): boolean => places.has(one(noun))
export const isWork = (noun: string): boolean => works.has(one(noun))
/** Nouns whose "of" names one thing that must be known first: the director of, the birthplace of. */
export const isRole = (noun: string): boolean => people.has(one(noun)) || belongings.has(noun)
/** Nouns that a clause can narrow down to one thing: the state where, the company that. */
export const isKind = (noun: string): boolean => isRole(noun) || isPlace(noun) || isWork(noun) || others.has(one(noun))
