--[[
Renames a thread.
KEYS[1] thread-about:{tenant}:hash
ARGV[1] the title and the access tags of the title, as JSON
Returns 1, or 0 if there is no such thread.
]]
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
redis.call('HSET', KEYS[1], 'title', ARGV[1])
return 1
