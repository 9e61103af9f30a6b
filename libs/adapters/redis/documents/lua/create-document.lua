--[[
Stores a document revision with the status 'queued', unless the document is unchanged. Questions find the previous
revision until the new revision is indexed.
Never changes another tenant's document, or a document that another source or caller owns.
KEYS[1] catalog:{id}:document   KEYS[2] catalog:{id}:run
ARGV[1] tenant   ARGV[2] document as JSON   ARGV[3] revision   ARGV[4] version, or '' before the content is fetched
ARGV[5] digest of the content, or ''   ARGV[6] digest of the other fields of the document   ARGV[7] now (ms)
ARGV[8] name of the source, or ''   ARGV[9] number of the source's run
ARGV[10] time after which that number expires (ms)   ARGV[11] traceparent of the request, or ''
Publishes a message on the channel with the name of KEYS[1].
Returns 'taken' if a document of another tenant has this id, 'owned' if another source or caller owns the document,
'fenced' if a later run of the source added or removed the document, or else 'unchanged', 'replaces' or 'new'.
]]
local held = redis.call('HMGET', KEYS[1], 'tenant', 'version', 'asked', 'status', 'revision', 'served', 'owner')
if held[1] and held[1] ~= ARGV[1] then return 'taken' end
if held[7] and held[7] ~= ARGV[8] then return 'owned' end
if ARGV[8] ~= '' then
  if tonumber(redis.call('GET', KEYS[2]) or 0) > tonumber(ARGV[9]) then return 'fenced' end
  redis.call('SET', KEYS[2], ARGV[9], 'PX', ARGV[10])
  -- A source takes over a document of the same name that was added without a source.
  if held[1] and not held[7] then redis.call('HSET', KEYS[1], 'owner', ARGV[8], 'document', ARGV[2]) end
end
local known = held[5] and held[4] ~= 'failed'
local same = ARGV[4] ~= '' and held[2] == ARGV[4]
-- The content of a URL is unknown until it is fetched, so only the fields are compared. A document that is only being
-- split into passages again will not be fetched, so it does not count as unchanged.
local coming = ARGV[4] == '' and held[3] == ARGV[6] and held[4] ~= 'indexed' and held[6] ~= held[5]
if known and (same or coming) then return 'unchanged' end
redis.call('HSET', KEYS[1], 'tenant', ARGV[1], 'document', ARGV[2], 'revision', ARGV[3], 'version', ARGV[4], 'digest', ARGV[5],
  'asked', ARGV[6], 'status', 'queued', 'passages', 0, 'percent', 0, 'starts', 0, 'errors', 0, 'updatedAt', ARGV[7], 'acceptedAt', ARGV[7], 'trace', ARGV[11])
if ARGV[8] ~= '' then redis.call('HSET', KEYS[1], 'owner', ARGV[8]) end
redis.call('HSETNX', KEYS[1], 'createdAt', ARGV[7])
redis.call('HDEL', KEYS[1], 'error', 'problem', 'task', 'title', 'ownMetadata', 'notes', 'warnings', 'pages', 'ofPages', 'fence', 'again')
redis.call('PUBLISH', KEYS[1], '')
return held[4] and 'replaces' or 'new'
