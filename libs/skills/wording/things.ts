import { fold } from '@plumbline/knowledge/text'

/** What a short answer can be seen to be by its form and a few common names; `unknown` where that does not tell. */
export type Thing =
  'person' | 'place' | 'nationality' | 'organisation' | 'site' | 'number' | 'date' | 'common' | 'unknown'

const set = (text: string): ReadonlySet<string> =>
  new Set(
    text
      .trim()
      .split(/\s*[,\n]\s*/)
      .filter((each) => each !== ''),
  )

const places = set(`
  africa, antarctica, asia, europe, north america, south america, oceania, middle east, scandinavia
  argentina, australia, austria, bangladesh, belgium, bolivia, brazil, bulgaria, cambodia, canada, chile, china, colombia, croatia, cuba
  czech republic, denmark, ecuador, egypt, england, estonia, ethiopia, finland, france, germany, ghana, greece, hungary, iceland, india
  indonesia, iran, iraq, ireland, israel, italy, jamaica, japan, kenya, kuwait, latvia, lebanon, libya, lithuania, luxembourg, malaysia
  mexico, mongolia, morocco, nepal, netherlands, new zealand, nigeria, north korea, norway, pakistan, panama, paraguay, peru, philippines
  poland, portugal, qatar, romania, russia, saudi arabia, scotland, serbia, singapore, slovakia, slovenia, south africa, south korea, spain
  sri lanka, sudan, sweden, switzerland, syria, taiwan, tanzania, thailand, tunisia, turkey, uganda, ukraine, united kingdom, united states
  usa, uk, uruguay, venezuela, vietnam, wales, yemen, zambia, zimbabwe, hong kong, puerto rico
  alabama, alaska, arizona, arkansas, california, colorado, connecticut, delaware, florida, georgia, hawaii, idaho, illinois, indiana, iowa
  kansas, kentucky, louisiana, maine, maryland, massachusetts, michigan, minnesota, mississippi, missouri, montana, nebraska, nevada
  new hampshire, new jersey, new mexico, new york, north carolina, north dakota, ohio, oklahoma, oregon, pennsylvania, rhode island
  south carolina, south dakota, tennessee, texas, utah, vermont, virginia, washington, west virginia, wisconsin, wyoming, ontario, quebec
  british columbia, alberta, bavaria, queensland, victoria, new south wales
  amsterdam, athens, atlanta, bangkok, barcelona, beijing, berlin, boston, brussels, budapest, buenos aires, cairo, chicago, copenhagen
  dallas, delhi, denver, detroit, dublin, edinburgh, frankfurt, geneva, glasgow, hamburg, helsinki, houston, istanbul, jakarta, johannesburg
  lisbon, london, los angeles, madrid, manchester, manila, melbourne, mexico city, miami, milan, montreal, moscow, mumbai, munich, nairobi
  new york city, oslo, paris, philadelphia, prague, rio de janeiro, rome, san francisco, san diego, sao paulo, seattle, seoul, shanghai
  stockholm, sydney, tokyo, toronto, vancouver, venice, vienna, warsaw, zurich
`)
const nationalities =
  /^(?:american|argentine|australian|austrian|belgian|brazilian|british|canadian|chilean|chinese|colombian|cuban|czech|danish|dutch|egyptian|english|european|filipino|finnish|french|german|greek|hungarian|icelandic|indian|indonesian|iranian|irish|israeli|italian|jamaican|japanese|kenyan|korean|mexican|nigerian|norwegian|pakistani|peruvian|polish|portuguese|romanian|russian|scottish|serbian|south african|spanish|swedish|swiss|thai|turkish|ukrainian|venezuelan|vietnamese|welsh)$/
const givenNames = set(`
  adam, alan, albert, alex, alexander, alfred, alice, amanda, amy, andrea, andrew, angela, ann, anna, anne, anthony, antonio, arthur, barbara
  ben, benjamin, bill, bob, brian, bruce, carl, carlos, carol, catherine, charles, charlie, charlotte, chris, christian, christine
  christopher, claire, craig, daniel, danny, david, dean, deborah, dennis, diana, donald, dorothy, douglas, edward, elizabeth, ellen, emily
  emma, eric, eva, frances, francis, frank, fred, frederick, gary, george, gerald, grace, graham, gregory, hannah, harold, harry, helen, henry
  howard, hugh, ian, isaac, ivan, jack, jacob, james, jane, janet, jason, jean, jeff, jeffrey, jennifer, jessica, jim, jimmy, joan, joe
  johan, john, johnny, jonathan, jordan, jose, joseph, joshua, juan, judith, julia, julie, justin, karen, karl, kate, katherine, keith, ken
  kenneth, kevin, kim, larry, laura, lawrence, lee, leo, leonard, lewis, linda, lisa, louis, louise, lucas, lucy, luis, luke, margaret, maria
  marie, mark, martha, martin, mary, matt, matthew, max, michael, michelle, miguel, mike, mohammed, nancy, neil, nicholas, nick, nicole
  oliver, oscar, otto, pamela, patricia, patrick, paul, pedro, peter, philip, rachel, ralph, raymond, rebecca, richard, rick, robert, roger
  ronald, rose, roy, ruth, ryan, sally, sam, samuel, sandra, sarah, scott, sean, simon, sophie, stanley, stephanie, stephen, steve, steven
  stuart, susan, ted, theodore, thomas, tim, timothy, tom, tony, victor, vincent, walter, warren, wayne, william
`)
const titled =
  /^(?:mr|mrs|ms|dr|sir|dame|lord|lady|king|queen|prince|princess|president|pope|saint|captain|general|colonel)\b\.?\s+\p{Lu}/iu
const organisations =
  /\b(?:college|university|school|academy|institute|company|corporation|inc|ltd|group|records|association|organi[sz]ation|foundation|committee|ministry|department|agency|party|band|orchestra|club|airlines|airways|network|bank|church)\b/i
const sites =
  /\b(?:stadium|castle|museum|airport|hospital|medical center|theatre|theater|arena|palace|tower|bridge|cathedral|library|hotel|station|hall|railway|railroad|highway)\b/i
const regions = /\b(?:county|province|district|island|islands|city|township|valley|coast)$/i

const named = (text: string): Thing => {
  const folded = fold(text)
  const parts = folded.split(/,\s*/)
  if (nationalities.test(folded)) return 'nationality'
  if (titled.test(text)) return 'person'
  if (sites.test(text)) return 'site'
  if (organisations.test(text)) return 'organisation'
  if (parts.some((part) => places.has(part.replace(/^the\s+/, ''))) || regions.test(text)) return 'place'
  const names = text.split(/\s+/)
  const capitals = names.length >= 2 && names.length <= 4 && names.every((name) => /^\p{Lu}/u.test(name))
  return capitals && (givenNames.has(fold(names[0] ?? '')) || /^\p{Lu}\.$/u.test(names[0] ?? '')) ? 'person' : 'unknown'
}

/** What an answer of a few words is. */
export const thingOf = (answer: string): Thing => {
  const text = answer.trim().replace(/^["“]|["”]$|[.!]+$/g, '')
  if (/\b(?:1[5-9]|20)\d\d\b/.test(text)) return 'date'
  if (/\d/.test(text)) return 'number'
  return /\p{Lu}/u.test(text) ? named(text) : nationalities.test(fold(text)) ? 'nationality' : 'common'
}
