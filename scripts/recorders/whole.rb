# Has VCR record all of whole.mjs: ruby whole.rb ORIGIN FOLDER CALLS. Needs ruby-vcr, ruby-webmock and ruby-multi-json;
# ruby -I FOLDER/lib for another version of VCR. Writes whole-vcr.yml, whole-vcr-exact.yml and what the client was told.
require 'cgi'
require 'fileutils'
require 'json'
require 'net/http'
require 'vcr'

ORIGIN, FOLDER, CALLS = ARGV

VCR.configure do |config|
  config.cassette_library_dir = FOLDER
  config.hook_into :webmock
end

def ask(call, token, jar)
  uri = URI(ORIGIN + call['path'])
  request = call['form'] ? Net::HTTP::Post.new(uri) : Net::HTTP::Get.new(uri)
  if call['form']
    request.body = call['form'].gsub('{token}') { CGI.escape(token) }.gsub('{rawtoken}') { token }
    request['Content-Type'] = call['type'] || 'application/x-www-form-urlencoded'
  end
  request['Cookie'] = jar.map { |pair| pair.join('=') }.join('; ') if call['session'] && !jar.empty?
  Net::HTTP.start(uri.host, uri.port) { |http| http.request(request) }
end

def onward(call, body)
  following = call['walk'] && JSON.parse(body).dig('continue', 'apcontinue')
  return unless following

  first = call['path'].sub(/&apcontinue=.*/, '')
  call.merge('path' => "#{first}&apcontinue=#{CGI.escape(following)}&continue=-%7C%7C")
end

# Asks all calls, with the token and the cookies that were told last; what was told.
def a_day
  said, jar, token = [], {}, ''
  waiting = JSON.parse(File.read(CALLS))
  while (call = waiting.shift)
    reply = ask(call, token, jar)
    body = reply.body.to_s.b
    said << call.merge('status' => reply.code.to_i, 'base64' => [body].pack('m0'))
    cookies = call['session'] ? reply.get_fields('set-cookie') || [] : []
    cookies.each { |cookie| jar.store(*cookie.match(/([^=]+)=([^;]*)/).captures) }
    issued = body.match(/"(?:login|csrf)token":"([^"]+)"/)
    token = issued[1].gsub('\\\\') { '\\' } if issued
    following = onward(call, body)
    waiting.unshift(following) if following
  end
  said
end

{ 'whole-vcr' => {}, 'whole-vcr-exact' => { preserve_exact_body_bytes: true } }.each do |name, options|
  FileUtils.rm_f(File.join(FOLDER, "#{name}.yml"))
  said = VCR.use_cassette(name, record: :all, **options) { a_day }
  File.write(File.join(FOLDER, "#{name}-told.json"), JSON.generate(said))
  puts "VCR #{VCR.version}, #{name}: #{said.length} calls"
end
