# Homebrew on Linux: the programs and the C library.
class Pchr < Formula
  desc "@description@"
  homepage "@homepage@"
  url "@url:tar@"
  version "@version@"
  sha256 "@sha256:tar@"
  license "MIT"

  depends_on arch: :x86_64
  depends_on :linux

  def install
    prefix.install "include", "lib", "licenses", "LICENSE"
    libexec.install "bin"
    bin.install_symlink libexec/"bin/pchr-player"
    # Another project has a command pchr.
    bin.install_symlink libexec/"bin/pchr" => "pchr-tool"
  end

  test do
    system bin/"pchr-tool", "--version"
  end
end
